import { useHotkeys } from '@mantine/hooks';

/** J and K go to the next and the previous row while the details of one are open; the arrows scroll them. */
export function useStepThrough(
  ids: readonly string[],
  open: string | undefined,
  go: (id: string) => void,
): void {
  const step = (by: number) => () => {
    const at = open === undefined ? -1 : ids.indexOf(open);
    const next = at === -1 ? undefined : ids[at + by];
    if (next !== undefined) go(next);
  };
  useHotkeys([
    ['J', step(1), { preventDefault: false }],
    ['K', step(-1), { preventDefault: false }],
  ]);
}
