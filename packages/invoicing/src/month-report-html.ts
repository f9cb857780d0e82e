import { createHash } from 'node:crypto';
import { formatMoney } from '@verdict/domain/money.js';
import type { MonthReport } from '@verdict/domain/month-report.js';
import { escapeHtml } from './escape-html.js';
import { formatCount, formatGrowth, formatMonth } from './in-words.js';
import { MARK, pageHtml } from './page-html.js';

export interface ReportedDifference {
  readonly accountId: string;
  readonly kind: string;
  readonly expected: number;
  readonly found: number;
}

/** The result of the last comparison, where only its sum is known. */
export interface ReconciliationSum {
  readonly ranAt: string;
  readonly differences: number;
}

/** A month on one page. `reconciliation` is what it found, now or at its last run; null when it never ran. */
export function monthReportHtml(
  report: MonthReport,
  reconciliation: readonly ReportedDifference[] | ReconciliationSum | null,
): string {
  const { month, status, currency, totals, before } = report;
  const money = (minor: number) => formatMoney(minor, currency);
  return pageHtml(
    `Verdict, ${formatMonth(month)}`,
    `<div class="head">
<div class="sender">${MARK}<strong>Verdict</strong><address>Monthly report</address></div>
<div><h1>${formatMonth(month)}</h1><p class="muted">${status === 'closed' ? 'Closed: these figures are final.' : 'Open: these figures may still grow.'}</p></div>
</div>
<div class="sum">
${figure('Invoiced before tax', money(totals.subtotal), before && growth(totals.subtotal, before.subtotal))}
${figure('Total with tax', money(totals.total), null)}
${figure('Checks', formatCount(totals.checks), before && growth(totals.checks, before.checks))}
${figure('Accounts with checks', `${totals.active} of ${totals.accounts}`, before && growth(totals.active, before.active))}
</div>
<p class="muted">${totals.documents} invoices and credit notes. Growth is against the month before.${takenBack(report)}</p>
<div class="two">
<section>
<h2>Top accounts</h2>
${table(
  ['Account', 'Plan', 'Checks', 'Before tax'],
  report.top.map(({ name, plan, checks, subtotal }) => [name, plan, formatCount(checks), money(subtotal)]),
  2,
)}
</section>
<section>
<h2>Decisions</h2>
${decisions(report)}
<h2>Reconciliation</h2>
${reconciled(reconciliation)}
</section>
</div>
<h2>Exceptions</h2>
${
  report.exceptions.length === 0
    ? '<p>None.</p>'
    : table(['Account', 'What somebody should know'], groupedByName(report.exceptions), 2)
}
<footer>
<p>Checksum of the figures <code>${checksumOf(report)}</code></p>
</footer>`,
  );
}

/** Credit notes for single invoices come after the month was closed, and change none of its figures. */
function takenBack({ totals: { corrections, corrected }, currency }: MonthReport): string {
  if (corrections === 0) return '';
  const notes = corrections === 1 ? 'A later credit note takes' : `${corrections} later credit notes take`;
  return ` ${notes} back ${escapeHtml(formatMoney(-corrected, currency))} before tax, which is not in these figures.`;
}

/** Shares as bars under each other, so that a shift from month to month is seen. */
function decisions({ by_decision, totals }: MonthReport): string {
  const rows = by_decision.map(({ decision, checks }) => {
    const percent = ((checks / Math.max(totals.checks, 1)) * 100).toFixed(1);
    return `<tr><td>${escapeHtml(decision)}</td><td style="width:45%"><span class="bar" style="width:${percent}%"></span></td><td class="n">${percent} %</td><td class="n">${formatCount(checks)}</td></tr>`;
  });
  return `<table class="dense"><tbody>${rows.join('\n')}</tbody></table>`;
}

/** An account with three exceptions is one row with three lines. */
function groupedByName(exceptions: MonthReport['exceptions']): [string, string][] {
  const grouped = new Map<string, [string, string]>();
  for (const { account_id, name, what } of exceptions) {
    const known = grouped.get(account_id);
    if (known) known[1] += `\n${what}`;
    else grouped.set(account_id, [name, what]);
  }
  return [...grouped.values()];
}

/** Lets a reader of two prints see whether they are the same. */
const checksumOf = (report: MonthReport): string =>
  createHash('sha256').update(JSON.stringify(report)).digest('hex');

const AGREE = 'Logs, rollups, counters, statements and invoices agree';

function reconciled(found: readonly ReportedDifference[] | ReconciliationSum | null): string {
  if (found === null) return '<p>Not run yet for this month; it runs every night.</p>';
  if ('ranAt' in found) {
    const when = `as of ${found.ranAt.slice(0, 16).replace('T', ' ')} UTC`;
    return found.differences === 0
      ? `<p class="good">${AGREE}, ${when}.</p>`
      : `<p class="bad">${differencesIn(found.differences)}, ${when}; verdict reconcile names them.</p>`;
  }
  return differencesTable(found);
}

const differencesIn = (count: number): string =>
  count === 1 ? '1 difference' : `${formatCount(count)} differences`;

function differencesTable(differences: readonly ReportedDifference[]): string {
  if (differences.length === 0) return `<p class="good">${AGREE}.</p>`;
  return `<p class="bad">${differencesIn(differences.length)}.</p>${table(
    ['Account', 'Kind', 'Expected', 'Found'],
    differences.map(({ accountId, kind, expected, found }) => [
      accountId,
      kind,
      formatCount(expected),
      formatCount(found),
    ]),
    2,
  )}`;
}

const figure = (name: string, value: string, change: string | null): string =>
  `<div><span>${name}</span><strong>${escapeHtml(value)}</strong>${change === null ? '' : `<span>${change}</span>`}</div>`;

const growth = (now: number, before: number): string | null =>
  before === 0 ? null : formatGrowth((now - before) / before);

/** Columns from `numbersFrom` on are figures. */
function table(head: readonly string[], rows: readonly (readonly string[])[], numbersFrom: number): string {
  const cell = (tag: string) => (text: string, i: number) =>
    `<${tag}${i >= numbersFrom ? ' class="n"' : ''}>${escapeHtml(text).replaceAll('\n', '<br>')}</${tag}>`;
  return `<table class="dense"><thead><tr>${head.map(cell('th')).join('')}</tr></thead><tbody>${rows
    .map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`)
    .join('\n')}</tbody></table>`;
}
