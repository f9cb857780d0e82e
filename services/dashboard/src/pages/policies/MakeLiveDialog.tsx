import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Body, call } from '../../api/call.ts';
import { isError } from '../../api/is-error.ts';
import { POLICIES } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { formatShare } from '../../ui/format/format.ts';
import { useNow } from '../../ui/format/use-now.ts';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import classes from './MakeLiveDialog.module.css';
import { ruleChanges } from './rule-changes.ts';
import { type KeyName, ruleSentence } from './rule-sentence.ts';
import { LIVE_TEXTS as TEXTS } from './texts.ts';
import { usePolicy } from './use-policy.ts';

const NOTICE = 'policy-live';

const shareOf = (error: unknown): number => (error instanceof ApiError ? (error.share ?? 1) : 1);

/** Shows what changes before a version becomes live, and asks again where it would block most checks. */
export function MakeLiveDialog({
  version,
  live,
  keyName,
  onClose,
}: {
  /** Null for no policy. */
  version: number | null;
  live: number | null;
  keyName: KeyName;
  onClose: () => void;
}) {
  const now = useNow();
  const before = usePolicy(live);
  const after = usePolicy(version);
  const [really, setReally] = useState(false);
  const makeLive = (body: Body<'PUT /policies/live/'>) => call('PUT /policies/live/', { body });
  const goingBack = useAction(makeLive, {
    stale: [POLICIES],
    failed: 'Could not go back',
    done: ({ live: made }) => ({ title: TEXTS.done(made), message: TEXTS.immediately }),
  });
  const making = useAction(
    // The version that this page shows as live: a change by somebody else since then is refused.
    (_: FormData) => makeLive({ version, expect: live, ...(really && { really }) }),
    {
      stale: [POLICIES],
      then: onClose,
      done: ({ live: made, previous }) => ({
        id: NOTICE,
        title: TEXTS.done(made),
        message: (
          <>
            {made === null ? TEXTS.noneText : TEXTS.immediately}{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(NOTICE);
                goingBack.mutate({ version: previous, expect: made });
              }}
            >
              {TEXTS.back(previous)}
            </Button>
          </>
        ),
      }),
    },
  );
  const isReady = (live === null || before.policy) && (version === null || after.policy);
  const changes = isReady ? ruleChanges(before.policy?.rules ?? [], after.policy?.rules ?? []) : [];
  const conflict = isError(making.error, 'policy_conflict');
  const blocksMost = isError(making.error, 'policy_blocks_most');
  return (
    <FormDialog
      title={TEXTS.title(version)}
      size={560}
      submit={TEXTS.submit(version)}
      ready={Boolean(isReady) && (!blocksMost || really)}
      action={{ ...making, error: conflict || blocksMost ? null : making.error }}
      onClose={onClose}
    >
      <p>{TEXTS.from(live)}</p>
      {!isReady ? (
        <SkeletonBlock height={80} label="Loading the live version" />
      ) : changes.length === 0 ? (
        <p>The rules are the same.</p>
      ) : (
        <ul className={classes.changes}>
          {changes.map(({ kind, rule }) => (
            <li key={`${kind} ${rule.name}`} data-kind={kind}>
              <strong>
                {TEXTS.kinds[kind]}: {rule.name}
              </strong>
              <p>{ruleSentence(rule, keyName, now)}</p>
            </li>
          ))}
        </ul>
      )}
      <p>{version === null ? TEXTS.noneText : TEXTS.immediately}</p>
      {conflict && (
        <p role="alert">
          Somebody else changed the live version meanwhile. The comparison above is up to date now: read it,
          then try again.
        </p>
      )}
      {blocksMost && (
        <>
          <p role="alert">{`This version would block ${formatShare(shareOf(making.error), 1)} of your last 1,000 checks.`}</p>
          <Checkbox
            label="Make it live although it blocks so many"
            checked={really}
            onChange={(event) => setReally(event.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
