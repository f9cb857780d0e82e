/**
 * A value that remembers which of its fields were looked at. The published validators check types and required fields but
 * wave through what they do not know; a field that no validator ever asked for is a field that Kubernetes does not have.
 */
export function watchFields(value: unknown): { readonly watched: unknown; unread(): string[] } {
  const read = new Map<object, Set<string>>();
  const watch = (it: unknown): unknown => {
    if (typeof it !== 'object' || it === null) return it;
    const seen = new Set<string>();
    read.set(it, seen);
    const children = new Map<string, unknown>();
    return new Proxy(it, {
      get(target, key) {
        const name = String(key);
        if (typeof key === 'symbol' || !Object.hasOwn(target, name)) return Reflect.get(target, key);
        seen.add(name);
        if (!children.has(name)) children.set(name, watch(Reflect.get(target, key)));
        return children.get(name);
      },
    });
  };
  const unreadIn = (it: unknown, path: string): string[] => {
    if (typeof it !== 'object' || it === null) return [];
    return Object.entries(it).flatMap(([key, child]) =>
      Array.isArray(it) || read.get(it)?.has(key) ? unreadIn(child, `${path}.${key}`) : [`${path}.${key}`],
    );
  };
  return { watched: watch(value), unread: () => unreadIn(value, '') };
}
