/** The value of a promise, or null when it takes longer: what waits for many of them has a deadline then. */
export async function within<T>(deadlineMs: number, promise: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), deadlineMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
