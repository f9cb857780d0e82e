import type { BulkJob } from '../../api/jobs.ts';
import { formatAge, formatCount, plural } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';

/** Before anything is counted: how many checks it needs, and whether the month has them. */
export function JobQuote({ quote }: { quote: NonNullable<BulkJob['quote']> }) {
  const missing = quote.checks_needed - quote.quota_left;
  return (
    <Section title="Cost">
      <Facts
        facts={[
          ['Checks needed', formatCount(quote.checks_needed)],
          ['Left this month', formatCount(quote.quota_left)],
          ['Expected time', formatAge(quote.expected_seconds)],
        ]}
      />
      {quote.checks_needed === 0 && <p className={panel.note}>The file has no address to check.</p>}
      {missing > 0 && (
        <p
          className={panel.note}
        >{`You are ${plural(missing, 'check')} short. The job will pause and resume next month or after an upgrade.`}</p>
      )}
    </Section>
  );
}
