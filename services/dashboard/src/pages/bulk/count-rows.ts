const LINE_FEED = 10;

/** The lines of a file, read in pieces so that a large one needs no memory. The last may lack its end. */
export async function countRows(file: Blob): Promise<number> {
  let rows = 0;
  let last = LINE_FEED;
  for (const reader = file.stream().getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return last === LINE_FEED ? rows : rows + 1;
    for (const byte of value) if (byte === LINE_FEED) rows += 1;
    last = value.at(-1) ?? last;
  }
}
