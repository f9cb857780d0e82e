import type { Statement } from '../../api/billing.ts';
import { formatCount, formatShare } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';

/** The checks of a statement by tag, the most used first; nothing where no check had one. */
export function StatementTags({ statement: { by_tag: tags, used } }: { statement: Statement }) {
  const named = Object.entries(tags ?? {}).sort(([, a], [, b]) => b - a);
  if (named.length === 0) return null;
  const rest = used - named.reduce((sum, [, checks]) => sum + checks, 0);
  return (
    <Section title="By tag">
      <DataTable
        label="By tag"
        rows={[...named, ...(rest > 0 ? [['', rest] as const] : [])]}
        rowKey={([tag]) => tag}
        columns={[
          { name: 'Tag', render: ([tag]) => tag || 'Other tags, or none' },
          { name: 'Checks', width: '120px', figure: true, render: ([, checks]) => formatCount(checks) },
          { name: 'Share', width: '80px', figure: true, render: ([, checks]) => formatShare(checks, used) },
        ]}
      />
    </Section>
  );
}
