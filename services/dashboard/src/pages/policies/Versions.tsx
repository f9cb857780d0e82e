import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type PolicySummary, policiesQuery } from '../../api/policies.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { VersionState } from './VersionState.tsx';

/** Every version, newest first; a click shows its rules. */
export function Versions({ shown }: { shown: number | null }) {
  const versions = useInfiniteQuery(policiesQuery);
  if (!versions.data?.rows.length) return null;
  const columns: Column<PolicySummary>[] = [
    {
      name: 'Version',
      width: '86px',
      render: ({ version }) => (
        <Link to="/rules/policies" search={{ version }} data-row="" resetScroll={false}>
          {version}
        </Link>
      ),
    },
    { name: 'State', width: '104px', render: ({ state }) => <VersionState state={state} /> },
    { name: 'Note', render: ({ note }) => note && <span title={note}>{note}</span> },
    {
      name: 'Rules',
      width: '64px',
      figure: true,
      from: 'tablet',
      render: ({ rule_count: count }) => formatCount(count),
    },
    { name: 'Saved (UTC)', time: ({ created_at: at }) => at },
  ];
  return (
    <Section title="Versions" note="A version never changes. The newest is at the top.">
      <PagedTable
        query={versions}
        what="the versions"
        label="Versions"
        columns={columns}
        rowKey={({ version }) => String(version)}
        {...(shown !== null && { current: String(shown) })}
        empty={null}
      />
    </Section>
  );
}
