import { StringDecoder } from 'node:string_decoder';
import type { Datasets } from '@verdict/contracts/datasets.js';
import { SCORE_PATH, type ScoreHeader, TRACES_HEADER } from '@verdict/contracts/scoring-api.js';
import type { Dispatcher, Pool } from 'undici';
import { createLineReader } from './read-line.js';
import type { ScoreEntry } from './scoring-client.js';

const HEADERS = { 'content-type': 'application/json' };
const readLine = createLineReader();

/**
 * Posts a batch and settles each entry as its line arrives. Resolves with the first chunk, which holds all that was
 * ready at once: a slow domain keeps its own check waiting, not the next batch. Rejects when nothing arrived.
 */
export function streamScores(
  pool: Pool,
  body: string,
  firstByteMs: number,
  entries: readonly ScoreEntry[],
  traces: string | undefined,
): Promise<void> {
  const headers = traces === undefined ? HEADERS : { ...HEADERS, [TRACES_HEADER]: traces };
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error('no first byte in time')), firstByteMs);
    let abort: Dispatcher.DispatchController | undefined;
    let header: { datasets: Datasets; versions: string } | undefined;
    let rest = '';
    // A chunk may end in the middle of a letter.
    const decoder = new StringDecoder('utf8');

    function fail(error: Error): void {
      clearTimeout(timer);
      reject(error);
      abort?.abort(error);
      // After the first chunk the promise is settled; what is still open of this attempt must not wait for a deadline.
      if (header) for (const entry of entries) if (!entry.settled) entry.reject(error);
    }

    function read(line: string): void {
      if (!header) {
        const { datasets } = JSON.parse(line) as ScoreHeader;
        header = { datasets, versions: versionsOf(datasets) };
        return;
      }
      const { position, verdict } = readLine(line, header.versions);
      entries[position]?.resolve({ verdict, datasets: header.datasets });
    }

    pool.dispatch(
      { method: 'POST', path: SCORE_PATH, headers, body },
      {
        onRequestStart(controller) {
          abort = controller;
        },
        onResponseStart(_controller, statusCode) {
          if (statusCode !== 200) fail(new Error(`scoring answered ${statusCode}`));
        },
        onResponseData(_controller, chunk) {
          const text = rest + decoder.write(chunk);
          let from = 0;
          for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
            read(text.slice(from, end));
            from = end + 1;
          }
          rest = text.slice(from);
          clearTimeout(timer);
          resolve();
        },
        onResponseEnd() {
          if (entries.some((entry) => !entry.settled)) fail(new Error('the answer ended early'));
        },
        onResponseError(_controller, error) {
          fail(error);
        },
      },
    );
  });
}

const versionsOf = (datasets: Datasets): string =>
  `${datasets.disposable_domains.version}/${datasets.free_providers.version}/${datasets.role_prefixes.version}`;
