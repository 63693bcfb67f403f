/** The desktop window's own scheme: standard and secure, so that modules, workers and CSP work as on the web. */
export const appScheme = 'app';
export const appHost = 'inspector';
export const appOrigin = `${appScheme}://${appHost}`;

/**
 * True when the address is a page of ours. Compared as parsed: texts such as `app://inspector.evil` or
 * `https://evil/?app://inspector` only look alike. (`URL.origin` is "null" for schemes that URL does not know.)
 */
export function isAppUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.protocol === `${appScheme}:` && url.host === appHost && url.username === '' && url.password === '';
}
