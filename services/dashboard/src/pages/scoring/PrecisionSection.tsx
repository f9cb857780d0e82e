import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PRECISION_GROUPS, type PrecisionGroup } from '@verdict/domain/outcomes.js';
import { useState } from 'react';
import { type Precision, precisionQuery } from '../../api/outcomes.ts';
import { formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { percent } from '../../ui/verdict/outcome-words.ts';

const GROUPS: Readonly<Record<PrecisionGroup, string>> = {
  code: 'Signal',
  rule: 'Rule',
  source: 'Public list',
  decision: 'Decision',
};

/** How often signals, rules, lists and decisions met genuine people, by the outcomes of the account. */
export function PrecisionSection() {
  const [by, setBy] = useState<PrecisionGroup>('code');
  const precision = useQuery(precisionQuery(by));
  return (
    <Section
      title="Accuracy"
      note="Counts the checks you reported an outcome for, and how many of those people were genuine."
      aside={
        <NativeSelect
          aria-label="Count by"
          size="xs"
          value={by}
          onChange={({ currentTarget }) => setBy(currentTarget.value as PrecisionGroup)}
          data={PRECISION_GROUPS.map((value) => ({ value, label: GROUPS[value] }))}
        />
      }
    >
      <Loaded
        query={precision}
        what="the outcomes"
        rows={4}
        isEmpty={({ groups }) => groups.length === 0}
        empty={
          <EmptyState
            title="No outcomes yet"
            text="Open a check and say how it turned out, or let your app send outcomes. From 30 on, the share is shown."
          >
            <Link to="/checks">All checks</Link>
          </EmptyState>
        }
      >
        {({ groups }) => (
          <DataTable
            label={`Outcomes by ${GROUPS[by].toLowerCase()}`}
            rows={groups}
            rowKey={({ name }) => name}
            columns={columnsOf(by)}
          />
        )}
      </Loaded>
    </Section>
  );
}

const columnsOf = (by: PrecisionGroup): Column<Precision>[] => [
  {
    name: GROUPS[by],
    render: ({ name }) =>
      by === 'code' ? (
        <Link to="/checks" search={{ reason: name }} data-row="">
          {name}
        </Link>
      ) : (
        name
      ),
  },
  { name: 'Labelled', width: '84px', figure: true, render: ({ labelled }) => formatCount(labelled) },
  { name: 'Abuse', width: '72px', figure: true, from: 'tablet', render: ({ abuse }) => formatCount(abuse) },
  { name: 'Genuine', width: '84px', figure: true, render: ({ genuine }) => formatCount(genuine) },
  {
    name: 'Share genuine, 95 % interval',
    width: '210px',
    figure: true,
    from: 'tablet',
    render: ({ share_genuine: share, low, high }) =>
      share === null || low === null || high === null
        ? 'too few'
        : `${percent(share)} (${percent(low)} to ${percent(high)})`,
  },
];
