import { Button, TextInput } from '@mantine/core';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { ApiKey } from '../../api/keys.ts';
import type { Effect, Policy } from '../../api/policies.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import classes from './PoliciesPage.module.css';
import { RuleList } from './RuleList.tsx';
import type { KeyName } from './rule-sentence.ts';
import { RULES_TEXTS } from './texts.ts';
import type { useDraft } from './use-draft.ts';

/** The rules of a version, to read and to edit. */
export function RulesSection({
  work,
  policy,
  version,
  keys,
  keyName,
  effects,
}: {
  work: ReturnType<typeof useDraft>;
  policy: Policy | undefined;
  version: number | null;
  keys: readonly ApiKey[];
  keyName: KeyName;
  effects: readonly Effect[];
}) {
  const { draft, note, unsaved, refused, errors, open, edit, add, discard, setOpen } = work;
  return (
    <Section
      title="Rules"
      note={unsaved ? RULES_TEXTS.unsaved(version) : version !== null ? `Version ${version}.` : null}
      aside={
        <>
          {unsaved && (
            <Button variant="subtle" color="gray" size="xs" onClick={discard}>
              Discard changes
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => add()}>
            Add rule
          </Button>
        </>
      }
    >
      {draft.length > 0 ? (
        <RuleList
          draft={draft}
          open={open}
          keys={keys}
          keyName={keyName}
          errors={errors}
          effects={effects}
          onOpen={setOpen}
          onChange={(next) => edit({ draft: next })}
        />
      ) : version === null ? (
        <EmptyState
          title="No rules yet"
          text="Begin with a rule or a preset. A rule with “only watch” counts matches and changes nothing."
        />
      ) : (
        <p className={panel.note}>This version has no rules: every check keeps the decision of its score.</p>
      )}
      {draft.length > 1 && (
        <p className={classes.order}>
          The first rule that matches decides. Drag a rule, or press Alt and an arrow key, to change the
          order.
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
          value={note}
          maxLength={POLICY_LANGUAGE.limits.noteChars}
          error={fieldError(refused, 'note', 'Note')}
          onChange={(event) => edit({ note: event.currentTarget.value })}
        />
      )}
      {!unsaved && policy?.note && <p className={classes.order}>{policy.note}</p>}
    </Section>
  );
}
