import { Button } from '@mantine/core';
import type { ShadowReportReply } from '@verdict/contracts/policy.js';
import { formatMoment } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { Comparison } from './Comparison.tsx';
import { SHADOW_TEXTS as TEXTS } from './texts.ts';
import { useShadow } from './use-shadow.ts';

/** Decisions that the version in the shadow would have changed since it was set. */
export function ShadowReport({ report }: { report: NonNullable<ShadowReportReply['shadow']> }) {
  const { version, since, judged } = report;
  const ending = useShadow();
  return (
    <Section
      title={TEXTS.title(version)}
      note={TEXTS.since(formatMoment(since, 0, false))}
      aside={
        <Button variant="default" size="xs" loading={ending.isPending} onClick={() => ending.mutate(null)}>
          {TEXTS.end}
        </Button>
      }
    >
      {judged > 0 ? (
        <Comparison title={TEXTS.name} report={report} />
      ) : (
        <p className={panel.note}>{TEXTS.empty}</p>
      )}
    </Section>
  );
}
