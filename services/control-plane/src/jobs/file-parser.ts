import type { Database } from '@verdict/db/database/client.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import { repeat } from '../projection/repeat.js';
import { parseFiles } from './parse-files.js';

const FILES_AT_ONCE = 4;
const LOOK_EVERY_MS = 1_000;

/** Parses stored files, a few at a time. Another process continues the files of one that died. */
export function createFileParser(db: Database, log: Logger) {
  const closing = new AbortController();
  const turns = Array.from({ length: FILES_AT_ONCE }, () =>
    repeat('file parser', LOOK_EVERY_MS, log, () => parseFiles({ db, log, signal: closing.signal })),
  );
  return {
    start(): void {
      for (const turn of turns) turn.start();
    },
    /** Leaves the files in hand to others. */
    async stop(): Promise<void> {
      closing.abort();
      await Promise.all(turns.map((turn) => turn.stop()));
    },
  };
}
