export interface Positions<Key> {
  of(key: Key): number;
  keys(): Key[];
}

/** Numbers distinct keys in the order of their first use, so that a batch carries what its entries share once. */
export function createPositions<Key>(): Positions<Key> {
  const positions = new Map<Key, number>();
  return {
    of(key) {
      const known = positions.get(key);
      if (known !== undefined) return known;
      const position = positions.size;
      positions.set(key, position);
      return position;
    },
    keys: () => [...positions.keys()],
  };
}
