import { Button, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useBlocker, useNavigate } from '@tanstack/react-router';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { liveQuery, POLICIES, policiesQuery } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { added, type DraftRule, draftOf, retold, rulesOf } from './draft-rules.ts';
import { newRule } from './edit-clause.ts';
import { JsonEditor } from './JsonEditor.tsx';
import classes from './PoliciesPage.module.css';
import { PresetMenu } from './PresetMenu.tsx';
import { type Preset, rulesOfPreset } from './presets.ts';
import { Reports } from './Reports.tsx';
import { RuleList } from './RuleList.tsx';
import { isSame } from './rule-changes.ts';
import { ruleErrors } from './rule-errors.ts';
import { TryRules } from './TryRules.tsx';
import { RULES_TEXTS } from './texts.ts';
import { usePolicy } from './use-policy.ts';
import { VersionActions } from './VersionActions.tsx';
import { Versions } from './Versions.tsx';

const route = getRouteApi('/app/policies');

interface Edited {
  /** The version that the edit began with. */
  readonly of: number | null;
  readonly draft: readonly DraftRule[];
  readonly note: string;
}

/** The rules of one version to read and edit, and beside them what they do to real checks. */
export function PoliciesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const keys = useQuery(keysQuery);
  const named = keys.data?.keys ?? [];
  const keyName = (id: string) => named.find((key) => key.id === id)?.name ?? id;

  const list = useInfiniteQuery(policiesQuery);
  const first = list.data?.first;
  const live = first?.live ?? null;
  const shown = search.version ?? live ?? first?.policies[0]?.version ?? null;
  const { policy, error: missing } = usePolicy(shown);
  const effects = useQuery({ ...liveQuery, enabled: live !== null && shown === live });
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
      then: async ({ policy: { version } }) => {
        setOpen(null);
        await client.invalidateQueries({ queryKey: POLICIES });
        setEdited(null);
        void navigate({ to: '/policies', search: { version }, resetScroll: false, ignoreBlocker: true });
      },
      onError: setRefused,
    },
  );
  const errors = ruleErrors(refused);

  const add = () => {
    const next = added(draft, [newRule(rules)]);
    edit({ draft: next });
    setOpen(next.at(-1)?.key ?? null);
  };
  const addPreset = (preset: Preset) => {
    const fresh = rulesOfPreset(preset, Date.now());
    // Rules for some hours come first, so that no rule that allows is asked before them; added again, they end later.
    if (preset.hours) {
      const names = new Set(fresh.map(({ name }) => name));
      edit({ draft: [...draftOf(fresh), ...draft.filter(({ rule }) => !names.has(rule.name))] });
    } else {
      const taken = new Set(rules.map(({ name }) => name));
      edit({
        draft: added(
          draft,
          fresh.filter(({ name }) => !taken.has(name)),
        ),
      });
    }
  };

  return (
    <>
      <PageHeader
        title="Policies"
        intro="Your own rules move the decision of a check. Lists come first; then the first rule that matches decides."
      >
        <PresetMenu onChoose={addPreset} />
        <Button disabled={!unsaved} loading={saving.isPending} onClick={() => saving.mutate()}>
          Save as new version
        </Button>
      </PageHeader>
      {missing ? (
        <EmptyState title={`There is no version ${shown ?? 0}`} text="Choose one of your versions.">
          <Link to="/policies">Show the live version</Link>
        </EmptyState>
      ) : !first || (shown !== null && !policy) ? (
        <Loaded query={list} what="the policies" rows={10}>
          {() => <SkeletonRows rows={10} label="Loading the version" />}
        </Loaded>
      ) : (
        <div className={classes.columns}>
          <div>
            <Section
              title="Rules"
              note={unsaved ? RULES_TEXTS.unsaved(shown) : shown !== null ? `Version ${shown}.` : null}
              aside={
                <>
                  {unsaved && (
                    <Button
                      variant="subtle"
                      color="gray"
                      size="xs"
                      onClick={() => {
                        setEdited(null);
                        setRefused(null);
                      }}
                    >
                      Discard changes
                    </Button>
                  )}
                  <Button variant="default" size="xs" onClick={add}>
                    Add rule
                  </Button>
                </>
              }
            >
              {draft.length > 0 ? (
                <RuleList
                  draft={draft}
                  open={open}
                  keys={named}
                  keyName={keyName}
                  errors={errors}
                  effects={shown === live ? (effects.data?.live?.rules ?? []) : []}
                  onOpen={setOpen}
                  onChange={(next) => edit({ draft: next })}
                />
              ) : shown === null ? (
                <EmptyState
                  title="No rules yet"
                  text="Begin with a rule or a preset. A rule with “only watch” counts matches and changes nothing."
                />
              ) : (
                <p className={panel.note}>
                  This version has no rules: every check keeps the decision of its score.
                </p>
              )}
              {draft.length > 1 && (
                <p className={classes.order}>
                  The first rule that matches decides. Drag a rule, or press Alt and an arrow key, to change
                  the order.
                </p>
              )}
              {refused !== null && errors.length === 0 && (
                <ErrorNotice title="Could not save the rules" error={refused} fields={['note']} />
              )}
              {unsaved && (
                <TextInput
                  className={classes.note ?? ''}
                  label="Note (optional)"
                  description="Why these rules. Shown with the version."
                  value={own?.note ?? ''}
                  maxLength={POLICY_LANGUAGE.limits.noteChars}
                  error={fieldError(refused, 'note', 'Note')}
                  onChange={(event) => edit({ note: event.currentTarget.value })}
                />
              )}
              {!unsaved && policy?.note && <p className={classes.order}>{policy.note}</p>}
            </Section>
            <details className={classes.details}>
              <summary>JSON</summary>
              <JsonEditor
                key={shown}
                rules={rules}
                onChange={(next) => edit({ draft: retold(draft, next) })}
              />
            </details>
            <Versions shown={shown} />
          </div>
          <div>
            {policy && <VersionActions policy={policy} live={live} keyName={keyName} />}
            {shown !== null && <Reports version={shown} unsaved={unsaved} />}
            <TryRules rules={rules} onRefused={setRefused} />
          </div>
        </div>
      )}
    </>
  );
}
