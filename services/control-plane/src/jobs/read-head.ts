/** Up to here a file is parsed while its sender waits: seconds on a busy machine, even if every row is short. */
const HEAD_BYTES_MAX = 256 * 1024;

type Source = AsyncIterable<Uint8Array>;

interface Head {
  readonly chunks: readonly Uint8Array[];
  /** The file from its beginning; undefined where the head is all of it. */
  readonly whole: AsyncGenerator<Uint8Array> | undefined;
}

/** Reads the beginning of a file. If there is more, `check` sees the beginning before the rest is read. */
export async function readHead(
  source: Source,
  check: (head: Head['chunks']) => Promise<void>,
): Promise<Head> {
  const chunks: Uint8Array[] = [];
  const rest = source[Symbol.asyncIterator]();
  let bytes = 0;
  while (bytes <= HEAD_BYTES_MAX) {
    const next = await rest.next();
    if (next.done) return { chunks, whole: undefined };
    chunks.push(next.value);
    bytes += next.value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      await check(chunks);
      yield* chunks;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  }
  return { chunks, whole: whole() };
}
