/** Runs a task repeatedly, never concurrently; returns a stop function that waits for the running turn. */
export function every(
  intervalMs: number,
  task: () => Promise<unknown>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let turn: Promise<unknown> | null = null;
  const timer = setInterval(() => {
    turn ??= task()
      .catch(onError)
      .finally(() => {
        turn = null;
      });
  }, intervalMs);
  return async () => {
    clearInterval(timer);
    await turn;
  };
}
