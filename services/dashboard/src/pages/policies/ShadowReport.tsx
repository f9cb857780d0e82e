import { Button } from '@mantine/core';
import type { ShadowReportReply } from '@verdict/contracts/policy.js';
import { formatMoment } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { Comparison } from './Comparison.tsx';
import { useShadow } from './use-shadow.ts';

/** Decisions that the version in the shadow would have changed since it was set. */
export function ShadowReport({ report }: { report: NonNullable<ShadowReportReply['shadow']> }) {
  const { version, since, judged } = report;
  const ending = useShadow();
  return (
    <Section
      title={`Version ${version} in shadow`}
      note={`Checks since ${formatMoment(since, 0, false)} UTC.`}
      aside={
        <Button variant="default" size="xs" loading={ending.isPending} onClick={() => ending.mutate(null)}>
          End shadow
        </Button>
      }
    >
      {judged > 0 ? (
        <Comparison title="Shadow" report={report} />
      ) : (
        <p className={panel.note}>It has judged no check yet.</p>
      )}
    </Section>
  );
}
