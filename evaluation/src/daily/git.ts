import { execFileSync } from 'node:child_process';

const OUTPUT_BYTES_MAX = 512 * 1024 * 1024;
const BLOBS_AT_ONCE = 100;

export function git(gitDir: string, args: readonly string[], input = ''): Buffer {
  return execFileSync('git', ['--git-dir', gitDir, ...args], { input, maxBuffer: OUTPUT_BYTES_MAX });
}

/** The contents of many objects, some at a time: a process for each would take longer than reading them. */
export function* readBlobs(gitDir: string, ids: readonly string[]): Generator<Buffer> {
  for (let start = 0; start < ids.length; start += BLOBS_AT_ONCE) {
    const some = ids.slice(start, start + BLOBS_AT_ONCE);
    const answer = git(gitDir, ['cat-file', '--batch'], `${some.join('\n')}\n`);
    let at = 0;
    for (const id of some) {
      const end = answer.indexOf('\n', at);
      const [, kind, size] = answer.toString('latin1', at, end).split(' ');
      if (kind !== 'blob') throw new Error(`${gitDir} lacks ${id}`);
      const content = answer.subarray(end + 1, end + 1 + Number(size));
      yield content;
      at = end + 1 + content.length + 1;
    }
  }
}
