/** Gives a place back; harmless when done twice. */
export type Leave = () => void;

export interface Places {
  /** A place for one holder, `full` when all are taken, `many` when this holder has its share already. */
  take(...holders: string[]): Leave | 'full' | 'many';
}

interface PlacesOptions {
  readonly total: number;
  readonly perHolder: number;
}

/** How many requests may be under way at once: altogether, and for each address and account that takes part in one. */
export function createPlaces({ total, perHolder }: PlacesOptions): Places {
  let taken = 0;
  const held = new Map<string, number>();

  return {
    take(...holders) {
      if (holders.some((holder) => (held.get(holder) ?? 0) >= perHolder)) return 'many';
      if (taken >= total) return 'full';
      taken++;
      for (const holder of holders) held.set(holder, (held.get(holder) ?? 0) + 1);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        taken--;
        for (const holder of holders) {
          const rest = (held.get(holder) ?? 1) - 1;
          if (rest === 0) held.delete(holder);
          else held.set(holder, rest);
        }
      };
    },
  };
}
