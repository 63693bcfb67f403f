/** Gets or makes an entry; the least recently used one beyond `limit` is forgotten. */
export function remember<K, V>(map: Map<K, V>, key: K, limit: number, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next();
  if (map.size > limit && !oldest.done) map.delete(oldest.value);
  return value;
}
