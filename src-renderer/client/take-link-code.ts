/** The code of a one-time link (`#code=…`) and the address without it, or undefined when there is none. */
export function takeLinkCode(href: string): { readonly code: string; readonly rest: string } | undefined {
  const url = new URL(href);
  const code = new URLSearchParams(url.hash.slice(1)).get('code');
  if (code === null || code === '') return undefined;
  return { code, rest: `${url.pathname}${url.search}` };
}
