import { useQueryClient } from '@tanstack/react-query';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { POLICIES, type Policy, policyQuery, type Rule } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { added, type DraftRule, draftOf, rulesOf } from './draft-rules.ts';
import { newRule } from './edit-clause.ts';
import { isSame } from './rule-changes.ts';
import { ruleErrors } from './rule-errors.ts';

interface Edited {
  /** The version that the edit began with. */
  readonly of: number | null;
  readonly draft: readonly DraftRule[];
  readonly note: string;
}

/** The rules as they are edited, until they are saved as a new version or discarded. */
export function useDraft(shown: number | null, policy: Policy | undefined) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const stored = useMemo(() => draftOf(policy?.rules ?? []), [policy?.rules]);

  const [edited, setEdited] = useState<Edited | null>(null);
  const [open, setOpen] = useState<number | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  const own = edited?.of === shown ? edited : null;
  const draft = own?.draft ?? stored;
  const rules = rulesOf(draft);
  const unsaved = own !== null && !isSame(rules, policy?.rules ?? []);
  const edit = (part: Partial<Omit<Edited, 'of'>>) => {
    setRefused(null);
    setEdited({ of: shown, draft, note: own?.note ?? '', ...part });
  };
  useBlocker({
    shouldBlockFn: () => unsaved && !window.confirm('Leave without saving the rules?'),
    enableBeforeUnload: () => unsaved,
  });

  const saving = useAction(
    () =>
      call('POST /policies/', {
        body: { rules: [...rules], ...(own?.note.trim() && { note: own.note.trim() }) },
      }),
    {
      done: ({ policy: { version } }) => ({
        title: `Version ${version} saved`,
        message: 'It changes no check until you make it live.',
      }),
      then: async (saved) => {
        const { version } = saved.policy;
        setOpen(null);
        await client.invalidateQueries({ queryKey: POLICIES });
        client.setQueryData(policyQuery(version).queryKey, saved);
        setEdited(null);
        void navigate({
          to: '/rules/policies',
          search: { version },
          resetScroll: false,
          ignoreBlocker: true,
        });
      },
      onError: setRefused,
    },
  );
  const errors = ruleErrors(refused);

  const add = (rule: Rule = newRule(rules)) => {
    const next = added(draft, [rule]);
    edit({ draft: next });
    setOpen(next.at(-1)?.key ?? null);
  };
  const discard = () => {
    setEdited(null);
    setRefused(null);
  };
  return {
    draft,
    rules,
    note: own?.note ?? '',
    unsaved,
    refused,
    errors,
    open,
    saving,
    edit,
    add,
    discard,
    setOpen,
    setRefused,
  };
}
