/** Runs a task again and again, never twice at once; returns how to stop, which waits for the turn in hand. */
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
