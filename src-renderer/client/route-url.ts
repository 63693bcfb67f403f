/** `/v1/sessions/{id}` with its parameters put in, percent-encoded, and the query behind it. */
export function routeUrl(path: string, params: unknown = {}, query: unknown = {}): string {
  const values = new Map(entries(params));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const value: unknown = values.get(name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`The path ${path} needs the parameter ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [key, value] of entries(query)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      search.set(key, String(value));
    }
  }
  const text = search.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

function entries(record: unknown): readonly (readonly [string, unknown])[] {
  return typeof record === 'object' && record !== null ? Object.entries(record) : [];
}
