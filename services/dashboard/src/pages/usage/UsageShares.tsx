import { DECISIONS } from '@verdict/domain/decision.js';
import type { Usage } from '../../api/usage.ts';
import { formatCount, formatShare } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { USAGE_TEXTS as TEXTS } from './texts.ts';

/** The same checks once by decision and once by key. */
export function UsageShares({ usage, nameOf }: { usage: Usage; nameOf: (id: string) => string }) {
  const byKey = new Map<string, { checks: number; blocked: number }>();
  for (const { key_id: id, decision, checks } of usage.rows) {
    const sums = byKey.get(id) ?? { checks: 0, blocked: 0 };
    sums.checks += checks;
    if (decision === 'block') sums.blocked += checks;
    byKey.set(id, sums);
  }
  const keys = [...byKey].map(([id, sums]) => ({ id, ...sums })).sort((a, b) => b.checks - a.checks);
  return (
    <div className={panel.two}>
      <Section title="By decision">
        <DataTable
          label="By decision"
          rows={DECISIONS}
          rowKey={(decision) => decision}
          columns={[
            { name: 'Decision', render: (decision) => <DecisionMark decision={decision} /> },
            {
              name: 'Checks',
              width: '110px',
              figure: true,
              render: (decision) => formatCount(usage.by_decision[decision]),
            },
            {
              name: 'Share',
              width: '80px',
              figure: true,
              render: (decision) => formatShare(usage.by_decision[decision], usage.total),
            },
          ]}
        />
      </Section>
      <Section title="By key">
        <DataTable
          label="By key"
          rows={keys}
          rowKey={({ id }) => id}
          columns={[
            { name: TEXTS.key, render: ({ id }) => nameOf(id) },
            { name: 'Checks', width: '110px', figure: true, render: ({ checks }) => formatCount(checks) },
            {
              name: 'Blocked',
              width: '80px',
              figure: true,
              render: ({ checks, blocked }) => formatShare(blocked, checks),
            },
          ]}
        />
      </Section>
    </div>
  );
}
