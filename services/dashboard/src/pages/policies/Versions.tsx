import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Policy, policiesQuery } from '../../api/policies.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/DataTable.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { VERSIONS_TEXTS as TEXTS } from './texts.ts';
import { VersionState } from './VersionState.tsx';

/** Every version, newest first; a click shows its rules. */
export function Versions({ shown }: { shown: number | null }) {
  const versions = useInfiniteQuery(policiesQuery);
  const rows = versions.data?.pages.flatMap(({ policies }) => policies) ?? [];
  if (rows.length === 0) return null;
  const columns: Column<Policy>[] = [
    {
      name: TEXTS.version,
      width: '86px',
      render: ({ version }) => (
        <Link to="/policies" search={{ version }} data-row="" resetScroll={false}>
          {version}
        </Link>
      ),
    },
    { name: TEXTS.state, width: '104px', render: ({ state }) => <VersionState state={state} /> },
    { name: TEXTS.noteColumn, render: ({ note }) => note && <span title={note}>{note}</span> },
    {
      name: TEXTS.rules,
      width: '64px',
      figure: true,
      from: 'tablet',
      render: ({ rules }) => formatCount(rules.length),
    },
    {
      name: TEXTS.created,
      width: '172px',
      figure: true,
      from: 'tablet',
      render: ({ created_at: at }) => <Time at={at} relative />,
    },
  ];
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <PagedTable
        query={versions}
        texts={TEXTS}
        label={TEXTS.title}
        columns={columns}
        rows={rows}
        rowKey={({ version }) => String(version)}
        {...(shown !== null && { current: String(shown) })}
        empty={null}
      />
    </Section>
  );
}
