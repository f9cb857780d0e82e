/** A table whose cells are as wide as their column, as the formatter wants them. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => `${row[i]}`.length)));
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell, i) => `${cell}`.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  return `\n${[head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n')}\n`;
}
