const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const LABEL_WIDTH = 16;
const DETAIL_WIDTH = 54;

/** Steps on the console: a spinner where there is a terminal, one plain line per finished step where there is none. */
export function createProgress(stream = process.stdout) {
  const live = Boolean(stream.isTTY);
  const colour = live && !process.env.NO_COLOR;
  const paint = (code, text) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  const line = (mark, label, detail, time) =>
    `  ${mark} ${label.padEnd(LABEL_WIDTH)}  ${detail.padEnd(time ? DETAIL_WIDTH : 0)}${time ? `  ${time}` : ''}`;

  return {
    paint,
    say: (text = '') => stream.write(`${text}\n`),

    /**
     * @template T
     * @param {string} label
     * @param {(note: (detail: string) => void) => Promise<T>} work the last note becomes the detail of the line
     * @returns {Promise<T>}
     */
    async step(label, work) {
      const startedAt = Date.now();
      let detail = '';
      let frame = 0;
      const draw = () => {
        const room = Math.max(0, (stream.columns ?? 80) - LABEL_WIDTH - 8);
        const mark = paint(36, FRAMES[frame++ % FRAMES.length]);
        stream.write(`\r\u001b[2K${line(mark, label, detail.slice(0, room))}`);
      };
      const timer = live ? setInterval(draw, 80) : undefined;
      try {
        const value = await work((text) => {
          detail = text;
        });
        finish(paint(32, '✔'));
        return value;
      } catch (error) {
        finish(paint(31, '✖'));
        throw error;
      }

      function finish(mark) {
        clearInterval(timer);
        const seconds = `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(7);
        stream.write(`${live ? '\r\u001b[2K' : ''}${line(mark, label, detail, seconds)}\n`);
      }
    },
  };
}
