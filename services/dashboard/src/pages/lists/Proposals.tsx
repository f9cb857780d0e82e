import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Proposal, proposalsQuery } from '../../api/outcomes.ts';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { AddEntryDialog } from './AddEntryDialog.tsx';

/** Entries that outcomes propose. Each is added by a person, who sees its impact first. */
export function Proposals() {
  const { data } = useQuery(proposalsQuery);
  const [chosen, setChosen] = useState<Proposal | null>(null);
  if (!data || data.proposals.length === 0) return null;
  const { proposals } = data;
  return (
    <Section
      title="Proposed"
      note="You labelled several people abuse here in the last 30 days, and no one genuine."
    >
      <DataTable
        label="Proposed entries"
        columns={columnsOf(setChosen)}
        rows={proposals}
        rowKey={({ value, match }) => `${match} ${value}`}
      />
      {chosen && (
        <AddEntryDialog
          list="block"
          values={chosen.match === 'mx' ? [] : [chosen.value]}
          servers={chosen.match === 'mx' ? [chosen.value] : []}
          note="Proposed from outcomes"
          onClose={() => setChosen(null)}
        />
      )}
    </Section>
  );
}

const columnsOf = (onChoose: (proposal: Proposal) => void): Column<Proposal>[] => [
  {
    name: 'Value',
    render: ({ value, match }) => (
      <>
        {match === 'mx' && 'Mail server '}
        <bdi>{value}</bdi>
      </>
    ),
  },
  { name: 'Abuse', width: '72px', figure: true, render: ({ abuse }) => abuse },
  { name: 'Last labelled (UTC)', time: ({ last_at: at }) => at },
  {
    width: '96px',
    actions: (proposal) => (
      <Button variant="default" size="compact-xs" onClick={() => onChoose(proposal)}>
        Block…
      </Button>
    ),
  },
];
