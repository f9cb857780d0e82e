/**
 * Writes all items, or as many as can be written: a batch that fails because of its data is halved until the culprit
 * is found and set aside. One bad record among a thousand costs twenty statements, once.
 */
export async function isolatePoison<T>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
  isPoison: (error: unknown) => boolean,
  setAside: (item: T, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await write(items);
  } catch (error) {
    if (!isPoison(error)) throw error;
    const [only] = items;
    if (items.length === 1 && only !== undefined) return setAside(only, error);
    const middle = Math.ceil(items.length / 2);
    await isolatePoison(items.slice(0, middle), write, isPoison, setAside);
    await isolatePoison(items.slice(middle), write, isPoison, setAside);
  }
}
