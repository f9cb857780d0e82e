import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ChallengedKind, challengeName } from '@verdict/domain/policy/challenge-rule.js';
import { useState } from 'react';
import type { Burst } from '../../api/bursts.ts';
import { call } from '../../api/call.ts';
import { LISTS, listQuery } from '../../api/lists.ts';
import { namedLogsQuery } from '../../api/logs.ts';
import { liveQuery, POLICIES } from '../../api/policies.ts';
import { useMay } from '../../shell/use-may.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { AddEntryDialog } from '../lists/AddEntryDialog.tsx';
import { ChallengeDialog } from './ChallengeDialog.tsx';
import { takeRuleOut } from './put-rule.ts';

/** The one act against a burst: a rule that challenges it for a day, or a block entry for a mailbox. It can be taken back here. */
export function StopBurst({
  burst: { kind, value },
  prominent = false,
}: {
  burst: Burst;
  prominent?: boolean;
}) {
  const may = useMay();
  if (kind === 'mailbox') return <BlockMailbox id={value} prominent={prominent} />;
  // An analyst keeps lists and no rules.
  if (kind === 'network' && !may('PUT /policies/live/')) return <Block value={value} prominent={prominent} />;
  return <Challenge kind={kind} value={value} prominent={prominent} />;
}

function BlockMailbox({ id, prominent }: { id: string; prominent: boolean }) {
  const { data } = useQuery({ ...namedLogsQuery([id]), enabled: id !== '' });
  const email = data?.logs[0]?.email;
  // A masked or an erased address cannot be blocked.
  return email && !email.includes('***@') ? <Block value={email} prominent={prominent} /> : null;
}

function Block({ value, prominent }: { value: string; prominent: boolean }) {
  const { data } = useInfiniteQuery(listQuery('block', value));
  const entry = data?.rows.find((one) => one.value === value);
  const removing = useAction((id: string) => call('DELETE /lists/block/:id/', { params: { id } }), {
    stale: [LISTS],
    failed: 'Could not remove the entry',
  });
  const isStanding = entry && (entry.expires_at === null || Date.parse(entry.expires_at) > Date.now());
  return (
    <Act
      word="Block"
      prominent={prominent}
      undo={isStanding ? () => removing.mutate(entry.id) : null}
      dialog={(close) => (
        <AddEntryDialog
          list="block"
          values={[value]}
          note="Repeated sign-ups"
          expiresInDays={1}
          submit="Block for 24 h"
          onClose={close}
        />
      )}
    />
  );
}

function Challenge({ kind, value, prominent }: { kind: ChallengedKind; value: string; prominent: boolean }) {
  const { data } = useQuery(liveQuery);
  const name = challengeName(value, true);
  const ending = useAction(() => takeRuleOut(name), {
    stale: [POLICIES],
    failed: 'Could not end the rule',
  });
  const isLive = data?.live?.rules.some(({ rule }) => rule === name);
  return (
    <Act
      word="Challenge"
      prominent={prominent}
      undo={isLive ? () => ending.mutate() : null}
      dialog={(close) => <ChallengeDialog kind={kind} value={value} isForDay onClose={close} />}
    />
  );
}

/** Opens the dialog, or undoes the act if it is in effect. */
function Act({
  word,
  prominent,
  undo,
  dialog,
}: {
  word: 'Block' | 'Challenge';
  prominent: boolean;
  undo: (() => void) | null;
  dialog: (close: () => void) => React.ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  if (!may(word === 'Block' ? 'POST /lists/block/' : 'PUT /policies/live/')) return null;
  const size = prominent ? 'sm' : 'xs';
  return (
    <>
      {undo ? (
        <Button variant="default" size={size} onClick={undo}>
          {word === 'Block' ? 'Undo block' : 'Undo challenge'}
        </Button>
      ) : (
        <Button variant={prominent ? 'filled' : 'default'} size={size} onClick={() => setOpen(true)}>
          {word} for 24 h…
        </Button>
      )}
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
