import { styleText } from 'node:util';

const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 54;

/** @typedef {ReturnType<typeof createProgress>} Progress */

/** Steps on the console, several at a time: a line for each that finished, and on a terminal one for those that run. */
export function createProgress(stream = process.stdout) {
  const live = Boolean(stream.isTTY);
  const running = new Map();

  /** @param {string} [lines] above the running steps */
  function show(lines) {
    const steps = [...running]
      .map(([label, detail]) => (detail ? `${label} (${detail})` : label))
      .join(' · ');
    const below = steps && `  … ${steps}`.slice(0, (stream.columns ?? 80) - 1);
    const above = lines === undefined ? '' : `${lines}\n`;
    stream.write(live ? `\r\u001b[2K${above}${below}` : above);
  }

  return {
    say: (text = '') => show(text),

    /**
     * @template T
     * @param {string} label
     * @param {(note: (detail: string) => void) => Promise<T>} work the last note becomes the detail of the line
     * @returns {Promise<T>}
     */
    async step(label, work) {
      const startedAt = Date.now();
      const note = (detail) => {
        running.set(label, detail);
        show();
      };
      const finish = (mark) => {
        const seconds = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
        const detail = running.get(label).padEnd(DETAIL_WIDTH);
        running.delete(label);
        show(`  ${mark} ${label.padEnd(LABEL_WIDTH)}  ${detail}  ${seconds}`);
      };
      note('');
      try {
        const value = await work(note);
        finish(styleText('green', '✔', { stream }));
        return value;
      } catch (error) {
        finish(styleText('red', '✖', { stream }));
        throw error;
      }
    },
  };
}
