import { Button, Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { makeLive, POLICIES } from '../../api/policies.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { formatShare } from '../../ui/format/format.ts';
import { useNow } from '../../ui/format/use-now.ts';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import classes from './MakeLiveDialog.module.css';
import { ruleChanges } from './rule-changes.ts';
import { type KeyName, ruleSentence } from './rule-sentence.ts';
import { LIVE_TEXTS as TEXTS } from './texts.ts';
import { usePolicy } from './use-policy.ts';

const isError = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

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
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: POLICIES });
  const goingBack = useMutation({
    mutationFn: makeLive,
    onSuccess: ({ live: made }) =>
      notifications.show({ title: TEXTS.done(made), message: TEXTS.immediately }),
    onError: showError(TEXTS.backFailed),
    onSettled: refresh,
  });
  const making = useMutation({
    mutationFn: () => makeLive({ version, expect: live, ...(really && { really }) }),
    onSuccess: async ({ live: made, previous }) => {
      onClose();
      const id = notifications.show({
        title: TEXTS.done(made),
        message: (
          <>
            {made === null ? TEXTS.noneText : TEXTS.immediately}{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(id);
                goingBack.mutate({ version: previous, expect: made });
              }}
            >
              {TEXTS.back(previous)}
            </Button>
          </>
        ),
      });
      await refresh();
    },
    onError: (error) => (isError(error, 'policy_conflict') ? refresh() : undefined),
  });
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
      acting={{ isPending: making.isPending, error: conflict || blocksMost ? null : making.error }}
      onSubmit={() => making.mutate()}
      onClose={onClose}
    >
      <p>{TEXTS.from(live)}</p>
      {!isReady ? (
        <SkeletonBlock height={80} label={TEXTS.loading} />
      ) : changes.length === 0 ? (
        <p>{TEXTS.same}</p>
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
      {conflict && <p role="alert">{TEXTS.conflict}</p>}
      {blocksMost && (
        <>
          <p role="alert">{TEXTS.blocks(formatShare(shareOf(making.error), 1))}</p>
          <Checkbox
            label={TEXTS.really}
            checked={really}
            onChange={(event) => setReally(event.currentTarget.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
