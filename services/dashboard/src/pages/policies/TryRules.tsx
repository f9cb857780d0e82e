import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Rule, type Tried, tryRules } from '../../api/policies.ts';
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
  const trying = useMutation({
    mutationFn: () => tryRules({ rules, email: email.trim(), ...(ip.trim() && { ip: ip.trim() }) }),
    onSuccess: () => onRefused(null),
    onError: (error) => onRefused(ruleErrors(error).length > 0 ? error : null),
  });
  const isAboutRules = ruleErrors(trying.error).length > 0;
  return (
    <Section title={TEXTS.title} note={TEXTS.note}>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          trying.mutate();
        }}
      >
        <TextInput
          label={TEXTS.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          required
          error={fieldError(trying.error, 'email', TEXTS.email)}
        />
        <TextInput
          label={TEXTS.ip}
          value={ip}
          onChange={(event) => setIp(event.currentTarget.value)}
          placeholder="203.0.113.7"
          autoComplete="off"
          error={fieldError(trying.error, 'ip', TEXTS.ipWord)}
        />
        <Button type="submit" variant="default" loading={trying.isPending}>
          {TEXTS.submit}
        </Button>
      </form>
      <div aria-live="polite">
        {isAboutRules ? (
          <p className={panel.note}>{TEXTS.rules}</p>
        ) : (
          trying.error && <ErrorNotice title={TEXTS.failed} error={trying.error} fields={['email', 'ip']} />
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
          <dt>{TEXTS.then}</dt>
          <dd>
            <DecisionMark decision={after.decision} /> {after.risk_score}
          </dd>
        </div>
      </dl>
      <p className={panel.note}>{after.rule === null ? TEXTS.noRule : TEXTS.by(after.rule)}</p>
      <FactorBars
        factors={after.factors}
        score={after.risk_score}
        texts={{ total: TEXTS.total, none: TEXTS.noFactors }}
      />
      <p className={panel.note}>
        {consideredLine(considered)} {unknown.length > 0 && TEXTS.unknown(unknown.join(', '))}
      </p>
    </div>
  );
}
