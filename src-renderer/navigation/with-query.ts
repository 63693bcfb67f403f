/** A path with the values that are there behind it. `:` and `/` stay as they are, which a query may hold. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined && value !== '') search.set(name, value);
  const query = search.toString().replaceAll('%3A', ':').replaceAll('%2F', '/');
  return query === '' ? path : `${path}?${query}`;
}
