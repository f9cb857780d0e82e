import type { BulkJob } from '../../api/jobs.ts';
import { formatAge, formatCount, plural } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { JOB_TEXTS as TEXTS } from './texts.ts';

/** Before anything is counted: how many checks it needs, and whether the month has them. */
export function JobQuote({ quote }: { quote: NonNullable<BulkJob['quote']> }) {
  const missing = quote.checks_needed - quote.quota_left;
  return (
    <Section title={TEXTS.quote}>
      <Facts
        facts={[
          [TEXTS.checks, formatCount(quote.checks_needed)],
          [TEXTS.quotaLeft, formatCount(quote.quota_left)],
          [TEXTS.time, formatAge(quote.expected_seconds)],
        ]}
      />
      {quote.checks_needed === 0 && <p className={panel.note}>{TEXTS.nothing}</p>}
      {missing > 0 && <p className={panel.note}>{TEXTS.tooFew(plural(missing, 'check'))}</p>}
    </Section>
  );
}
