import { escapeHtml } from './escape-html.js';

/** The one accent of everything that is printed. */
export const ACCENT = '#0f766e';

const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #111; font: 14px/1.45 Inter, system-ui, -apple-system, "Segoe UI", sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 800px; margin: 0 auto; padding: 48px 32px; }
h1 { font-size: 26px; font-weight: 600; margin: 0 0 4px; letter-spacing: -0.01em; }
h2 { font-size: 14px; font-weight: 600; margin: 32px 0 8px; }
p { margin: 0 0 8px; }
.muted { color: #5b6470; }
.head { display: flex; justify-content: space-between; gap: 32px; border-bottom: 2px solid ${ACCENT}; padding-bottom: 20px; }
.head > :last-child { text-align: right; }
.sender { display: grid; grid-template-columns: 24px auto; gap: 2px 10px; align-items: center; align-content: start; }
.sender svg { width: 24px; height: 24px; } .sender strong { font-size: 16px; font-weight: 600; }
.sender address { grid-column: 2; color: #5b6470; font-size: 12px; }
.sides { display: flex; justify-content: space-between; gap: 32px; margin-top: 24px; }
address { font-style: normal; white-space: pre-line; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
th, td { text-align: left; padding: 8px 12px 8px 0; border-bottom: 1px solid #dfe3e8; vertical-align: top; }
th { font-weight: 600; color: #5b6470; }
th.n, td.n { text-align: right; padding-right: 0; padding-left: 12px; white-space: nowrap; }
dl { display: grid; grid-template-columns: auto auto; gap: 4px 20px; margin: 0; }
dt { color: #5b6470; } dd { margin: 0; text-align: right; }
.totals { width: 320px; margin: 16px 0 0 auto; column-gap: 0; }
.totals dt, .totals dd { padding: 2px 0; }
.totals .last { font-weight: 600; color: #111; border-top: 1px solid #111; padding-top: 8px; margin-top: 4px; font-size: 16px; }
.two { display: grid; grid-template-columns: 1.7fr 1fr; gap: 0 40px; align-items: start; }
.dense th, .dense td { padding-top: 5px; padding-bottom: 5px; }
.bar { display: block; height: 8px; margin-top: 5px; background: ${ACCENT}; min-width: 1px; }
.sum { display: grid; grid-template-columns: repeat(4, auto); justify-content: space-between; gap: 12px 24px; margin: 24px 0 8px; }
.sum div span { display: block; color: #5b6470; font-size: 13px; } .sum div strong { font-size: 22px; font-weight: 600; white-space: nowrap; }
.bad { color: #b42318; font-weight: 600; } .good { color: ${ACCENT}; font-weight: 600; }
footer { margin-top: 40px; padding-top: 12px; border-top: 1px solid #dfe3e8; color: #5b6470; font-size: 12px; }
code { font: 11px/1.4 ui-monospace, Menlo, Consolas, monospace; word-break: break-all; }
@page { size: A4; margin: 18mm 16mm; @bottom-right { content: counter(page) " / " counter(pages); color: #5b6470; font: 9px Inter, system-ui, -apple-system, "Segoe UI", sans-serif; } }
@media (max-width: 640px) { .two { display: block; } .sum { grid-template-columns: repeat(2, auto); } }
@media print { .two { display: grid; } .sum { grid-template-columns: repeat(4, auto); } .sum div strong { font-size: 17px; } .sum div span { font-size: 11px; } body { font-size: 12px; } table { font-size: 11px; } h2 { margin-top: 20px; } main { padding: 0; max-width: none; }
  .dense th, .dense td { padding-top: 3px; padding-bottom: 3px; } .two { gap: 0 24px; } tr, dl, .sum { break-inside: avoid; } h2 { break-after: avoid; } .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; } thead { display: table-header-group; } }
`;

/** The sign of the house: an octagon with a check. */
export const MARK = `<svg viewBox="0 0 20 20" aria-hidden="true"><path fill="${ACCENT}" d="M5.8 0h8.4L20 5.8v8.4L14.2 20H5.8L0 14.2V5.8z"/><path d="M5.6 10.4l3.2 3.2 6-6.8" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

/** A whole page in the style that invoices and reports share. `body` is markup. */
export const pageHtml = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
