import type { Address } from './call.ts';
import { requestRaw } from './request.ts';

export interface Progress {
  readonly bytes: number;
  readonly rows: number;
}

const NEWLINE = 10;
const REPORT_MS = 150;

/** Fetches a file of lines with the session, tells how far it is, and hands it to the browser. */
export async function download(
  from: Address,
  {
    name,
    signal,
    onProgress,
  }: {
    name: string;
    signal?: AbortSignal;
    onProgress?: (progress: Progress) => void;
  },
): Promise<Progress> {
  const response = await requestRaw({ ...from, ...(signal && { signal }) });
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let lines = 0;
  let reported = 0;
  const type = response.headers.get('content-type') ?? 'text/csv';
  // The first line of a CSV names its columns.
  const headLines = type.startsWith('text/csv') ? 1 : 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    chunks.push(part.value);
    bytes += part.value.length;
    for (const byte of part.value) if (byte === NEWLINE) lines += 1;
    if (performance.now() - reported > REPORT_MS) {
      reported = performance.now();
      onProgress?.({ bytes, rows: Math.max(0, lines - headLines) });
    }
  }
  save(new Blob(chunks, { type }), name);
  return { bytes, rows: Math.max(0, lines - headLines) };
}

/** Lets the browser store what is already here. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
