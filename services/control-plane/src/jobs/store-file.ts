import { UPLOAD_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { storeFilePart } from '@verdict/db/bulk/bulk-file.js';
import type { Database } from '@verdict/db/database/client.js';
import { bodyTooLarge } from '@verdict/service-kit/errors.js';
import { jobState } from './job-errors.js';

const PART_BYTES = 256 * 1024;

/** Takes the bytes of a file to Postgres as they arrive, unparsed. */
export async function storeFile(db: Database, jobId: string, source: AsyncIterable<Uint8Array>) {
  let bytes = 0;
  let parts = 0;
  let held = Buffer.alloc(0);

  async function store(part: Uint8Array): Promise<void> {
    if (!(await storeFilePart(db, jobId, parts++, part))) throw jobState('deleted');
  }

  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > UPLOAD_BYTES_MAX) throw bodyTooLarge(UPLOAD_BYTES_MAX);
    held = Buffer.concat([held, chunk]);
    for (; held.length >= PART_BYTES; held = held.subarray(PART_BYTES))
      await store(held.subarray(0, PART_BYTES));
  }
  if (held.length > 0) await store(held);
  return { bytes, parts };
}
