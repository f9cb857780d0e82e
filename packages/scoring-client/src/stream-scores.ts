import { StringDecoder } from 'node:string_decoder';
import { SCORE_PATH, ScoreLineSchema, TRACES_HEADER } from '@verdict/contracts/scoring-api.js';
import { Compile } from 'typebox/compile';
import type { Dispatcher, Pool } from 'undici';
import type { ScoreEntry } from './scored.js';
import { SilentReplica } from './silent-replica.js';

const HEADERS = { 'content-type': 'application/json' };
const scoreLine = Compile(ScoreLineSchema);

/**
 * Posts a batch and settles each entry as its line arrives. Resolves with the first chunk, which holds everything
 * ready, so a slow domain delays only its own check; rejects when nothing arrived in time. Lines that arrive in as long again
 * still count.
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
    let timer = setTimeout(beSentElsewhere, firstByteMs);
    let abort: Dispatcher.DispatchController | undefined;
    let answered = false;
    let isElsewhere = false;
    let rest = '';
    // A chunk may end in the middle of a letter.
    const decoder = new StringDecoder('utf8');

    function beSentElsewhere(): void {
      isElsewhere = true;
      const silent = new SilentReplica();
      reject(silent);
      timer = setTimeout(fail, firstByteMs, silent).unref();
    }

    function fail(error: Error): void {
      clearTimeout(timer);
      reject(error);
      abort?.abort(error);
      // Once the promise is settled, what is still open of this attempt must not wait for a deadline.
      if (answered && !isElsewhere) for (const entry of entries) if (!entry.settled) entry.reject(error);
    }

    function read(text: string): void {
      const line: unknown = JSON.parse(text);
      if (!scoreLine.Check(line))
        throw new Error('scoring answered with something that is not a line of verdicts');
      for (const { i, verdict } of line.checks) {
        const found = line.verdicts[verdict];
        if (found) entries[i]?.resolve({ verdict: found, datasets: line.datasets });
      }
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
          try {
            for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
              read(text.slice(from, end));
              from = end + 1;
            }
          } catch (error) {
            fail(error as Error);
            return;
          }
          rest = text.slice(from);
          if (from === 0 && !answered) return;
          answered = true;
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
