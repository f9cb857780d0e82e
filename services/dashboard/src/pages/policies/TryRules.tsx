import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { Rule, Tried } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { FactorBars } from '../../ui/verdict/FactorBars.tsx';
import { ruleErrors } from './rule-errors.ts';
import classes from './TryRules.module.css';
import { TRY_TEXTS as TEXTS } from './texts.ts';

/** Asks for one address under the rules of the page. */
export function TryRules({
  rules,
  onRefused,
}: {
  rules: readonly Rule[];
  /** Marks the rule that cannot be read. */
  onRefused: (error: unknown) => void;
}) {
  const [email, setEmail] = useState('');
  const [ip, setIp] = useState('');
  const trying = useAction(
    () =>
      call('POST /policies/try/', {
        body: { rules: [...rules], email: email.trim(), ...(ip.trim() && { ip: ip.trim() }) },
      }),
    {
      then: () => onRefused(null),
      onError: (error) => onRefused(ruleErrors(error).length > 0 ? error : null),
    },
  );
  const isAboutRules = ruleErrors(trying.error).length > 0;
  return (
    <Section
      title="Try an address"
      note="By the rules on this page, saved or not. It is not counted and not logged."
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          trying.mutate();
        }}
      >
        <TextInput
          label="Email address"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          required
          error={fieldError(trying.error, 'email', 'Email address')}
        />
        <TextInput
          label="IP (optional)"
          value={ip}
          onChange={(event) => setIp(event.currentTarget.value)}
          placeholder="203.0.113.7"
          autoComplete="off"
          error={fieldError(trying.error, 'ip', 'IP')}
        />
        <Button type="submit" variant="default" loading={trying.isPending}>
          Try
        </Button>
      </form>
      <div aria-live="polite">
        {isAboutRules ? (
          <p className={panel.note}>Complete the rules first. The rule with the mistake is marked.</p>
        ) : (
          trying.error && (
            <ErrorNotice title="Could not try the address" error={trying.error} fields={['email', 'ip']} />
          )
        )}
        {trying.data && <Outcome tried={trying.data} />}
      </div>
    </Section>
  );
}

function Outcome({ tried: { live, before, after, unknown, considered } }: { tried: Tried }) {
  return (
    <div className={panel.stack}>
      <dl className={classes.outcome}>
        <div>
          <dt>{TEXTS.now(live)}</dt>
          <dd>
            <DecisionMark decision={before.decision} /> {before.risk_score}
          </dd>
        </div>
        <div>
          <dt>These rules</dt>
          <dd>
            <DecisionMark decision={after.decision} /> {after.risk_score}
          </dd>
        </div>
      </dl>
      <p className={panel.note}>
        {after.rule === null ? 'No rule decides.' : `Rule “${after.rule}” decides.`}
      </p>
      <FactorBars
        factors={after.factors}
        score={after.risk_score}
        texts={{ total: 'Risk score', none: 'No risk found.' }}
      />
      <p className={panel.note}>
        {consideredLine(considered)}{' '}
        {unknown.length > 0 && `Not known here, so no rule matches on them: ${unknown.join(', ')}.`}
      </p>
    </div>
  );
}
