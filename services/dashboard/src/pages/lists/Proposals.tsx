import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { LISTS } from '../../api/lists.ts';
import { type Proposal, proposalsQuery } from '../../api/outcomes.ts';
import { useMay } from '../../shell/use-may.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ChallengeDialog } from '../overview/ChallengeDialog.tsx';
import { AddEntryDialog } from './AddEntryDialog.tsx';

/** Entries and rules that outcomes propose. Each is added by a person, who sees its impact first, or dismissed. */
export function Proposals() {
  const { data } = useQuery(proposalsQuery);
  const [chosen, setChosen] = useState<Proposal | null>(null);
  const may = useMay();
  const dismissing = useDismissal();
  if (!data || data.proposals.length === 0) return null;
  const { proposals } = data;
  return (
    <Section
      title="Proposed"
      note="You labelled several people abuse here in the last 30 days, and no one genuine."
    >
      <DataTable
        label="Proposals"
        columns={columnsOf({
          onChoose: setChosen,
          onDismiss: dismissing,
          mayAccept: ({ rule }) => rule === null || may('PUT /policies/live/'),
        })}
        rows={proposals}
        rowKey={({ value, kind }) => `${kind} ${value}`}
      />
      {chosen && <Acceptance proposal={chosen} onClose={() => setChosen(null)} />}
    </Section>
  );
}

function Acceptance({ proposal: { kind, value }, onClose }: { proposal: Proposal; onClose: () => void }) {
  if (kind === 'network')
    return <ChallengeDialog kind={kind} value={value} isForDay={false} onClose={onClose} />;
  return (
    <AddEntryDialog
      list="block"
      values={kind === 'mx' ? [] : [value]}
      servers={kind === 'mx' ? [value] : []}
      note="Proposed from outcomes"
      onClose={onClose}
    />
  );
}

/** Dismisses a proposal; the toast takes it back. */
function useDismissal(): (proposal: Proposal) => void {
  const dismiss = ({ kind, value, abuse }: Pick<Proposal, 'kind' | 'value' | 'abuse'>) =>
    call('POST /dashboard/outcomes/proposals/dismiss/', { body: { kind, value, abuse } });
  const returning = useAction((proposal: Proposal) => dismiss({ ...proposal, abuse: 0 }), {
    stale: [LISTS],
    failed: 'Could not bring the proposal back',
  });
  const dismissing = useAction(dismiss, {
    stale: [LISTS],
    failed: 'Could not dismiss the proposal',
    done: (_, proposal: Proposal) => ({
      id: proposal.value,
      title: `Proposal for ${proposal.value} dismissed`,
      message: (
        <>
          It comes back if you label twice as much abuse.{' '}
          <Button
            variant="default"
            size="compact-xs"
            onClick={() => {
              notifications.hide(proposal.value);
              returning.mutate(proposal);
            }}
          >
            Undo
          </Button>
        </>
      ),
    }),
  });
  return dismissing.mutate;
}

const KINDS: Readonly<Record<Proposal['kind'], string>> = {
  mailbox: '',
  domain: '',
  mx: 'Mail server ',
  network: 'Network ',
};

const columnsOf = ({
  onChoose,
  onDismiss,
  mayAccept,
}: {
  onChoose: (proposal: Proposal) => void;
  onDismiss: (proposal: Proposal) => void;
  mayAccept: (proposal: Proposal) => boolean;
}): Column<Proposal>[] => [
  {
    name: 'Value',
    render: ({ value, kind }) => (
      <>
        {KINDS[kind]}
        <bdi>{value}</bdi>
      </>
    ),
  },
  { name: 'Abuse', width: '72px', figure: true, render: ({ abuse }) => abuse },
  { name: 'Last labelled (UTC)', time: ({ last_at: at }) => at },
  {
    width: '200px',
    actions: (proposal) => (
      <>
        {mayAccept(proposal) && (
          <Button variant="default" size="compact-xs" onClick={() => onChoose(proposal)}>
            {proposal.rule ? 'Challenge…' : 'Block…'}
          </Button>
        )}
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => onDismiss(proposal)}>
          Dismiss
        </Button>
      </>
    ),
  },
];
