import type { JobFormat } from './answers.js';

/** A file: its text, its bytes, a Blob, anything that gives its parts one after the other, a path, or rows. */
export type JobFile =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array | string>
  | { readonly path: string }
  | readonly (string | Readonly<Record<string, unknown>>)[];

export type SentBody = string | Uint8Array | Blob | ReadableStream<Uint8Array>;

/** A body that is opened for every try. */
export interface Upload {
  readonly format: JobFormat;
  /** A stream can be read only once, so it is never sent again. */
  readonly isRepeatable: boolean;
  /** `fail` is told what went wrong with the file itself, apart from what goes wrong with the service. */
  open(fail: (error: unknown) => void): SentBody;
}

const FORMATS: Readonly<Record<string, JobFormat>> = { ndjson: 'ndjson', jsonl: 'ndjson', json: 'json' };
const encoder = new TextEncoder();

export function readJobFile(file: JobFile): Upload {
  if (typeof file === 'string' || file instanceof Uint8Array || file instanceof Blob)
    return { format: 'csv', isRepeatable: true, open: () => file };
  if (isList(file)) {
    const text = JSON.stringify(file);
    return { format: 'json', isRepeatable: true, open: () => text };
  }
  if (isAsyncIterable(file)) {
    return { format: 'csv', isRepeatable: false, open: (fail) => toStream(file, fail) };
  }
  const { path } = file;
  const format = FORMATS[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'csv';
  return { format, isRepeatable: true, open: (fail) => toStream(readPath(path), fail) };
}

const isList = (file: object): file is readonly (string | Readonly<Record<string, unknown>>)[] =>
  Array.isArray(file);

/** A `ReadableStream` is one, too, wherever this client runs. */
const isAsyncIterable = (file: object): file is AsyncIterable<Uint8Array | string> =>
  Symbol.asyncIterator in file;

/** Asked of the platform when it is needed, so that a bundle for another one holds no import of `node:fs`. */
const readPath = (path: string): AsyncIterable<Uint8Array> =>
  process.getBuiltinModule('node:fs').createReadStream(path);

function toStream(
  parts: AsyncIterable<Uint8Array | string>,
  fail: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      } catch (error) {
        fail(error);
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
