const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 54;

/** @typedef {ReturnType<typeof createProgress>} Progress */

/** Steps on the console, several at a time: a plain line for each that finished, and a spinner where there is a terminal. */
export function createProgress(stream = process.stdout) {
  const live = Boolean(stream.isTTY);
  const colour = live && !process.env.NO_COLOR;
  const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const running = new Map();
  let frame = 0;
  let timer;

  function draw() {
    if (running.size === 0) return;
    const steps = [...running]
      .map(([label, detail]) => (detail ? `${label} (${detail})` : label))
      .join(' · ');
    const room = Math.max(0, (stream.columns ?? 80) - 6);
    stream.write(`\r\u001b[2K  ${paint(36, FRAMES[frame++ % FRAMES.length])} ${steps.slice(0, room)}`);
  }
  const write = (text) => stream.write(`${live ? '\r\u001b[2K' : ''}${text}\n`);

  return {
    say: (text = '') => write(text),

    /**
     * @template T
     * @param {string} label
     * @param {(note: (detail: string) => void) => Promise<T>} work the last note becomes the detail of the line
     * @returns {Promise<T>}
     */
    async step(label, work) {
      const startedAt = Date.now();
      running.set(label, '');
      if (live) timer ??= setInterval(draw, 80);
      const finish = (mark) => {
        const seconds = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
        write(
          `  ${mark} ${label.padEnd(LABEL_WIDTH)}  ${running.get(label).padEnd(DETAIL_WIDTH)}  ${seconds}`,
        );
        running.delete(label);
        if (running.size === 0) timer = clearInterval(timer);
      };
      try {
        const value = await work((detail) => running.set(label, detail));
        finish(paint(32, '✔'));
        return value;
      } catch (error) {
        finish(paint(31, '✖'));
        throw error;
      }
    },
  };
}
