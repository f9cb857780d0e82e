import { Button, Checkbox, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiKey, createKey, KEYS } from '../../api/keys.ts';
import type { Log } from '../../api/logs.ts';
import { CallTabs } from '../../ui/copy/CallTabs.tsx';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './FirstSteps.module.css';
import { FIRST_STEPS_TEXTS as TEXTS } from './texts.ts';

const SAMPLE = 'test@mailinator.com';

/** For an account without a check: from nothing to the first verdict. The key stays until the user has stored it. */
export function FirstSteps({
  keys,
  first,
  onDone,
}: {
  keys: readonly ApiKey[];
  /** The first check, once it is there. */
  first: Log | undefined;
  onDone: () => void;
}) {
  const [name, setName] = useState(TEXTS.keyDefault);
  const [stored, setStored] = useState(false);
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: createKey,
    onSuccess: () => client.invalidateQueries({ queryKey: KEYS }),
  });
  const value = creation.data?.api_key;
  return (
    <Section title={TEXTS.heading}>
      <ol className={classes.steps}>
        <li>
          <h3>{TEXTS.keyTitle}</h3>
          {value ? (
            <>
              <p>{TEXTS.keyDone}</p>
              <CodeBlock code={value} label={TEXTS.keyTitle} />
              <Checkbox
                mt={8}
                label={TEXTS.stored}
                checked={stored}
                onChange={(event) => setStored(event.currentTarget.checked)}
              />
            </>
          ) : keys.length > 0 ? (
            <p>
              {TEXTS.keyHave} <Link to="/keys">{TEXTS.toKeys}</Link>
            </p>
          ) : (
            <>
              <p>{TEXTS.keyText}</p>
              <form
                className={panel.filters}
                onSubmit={(event) => {
                  event.preventDefault();
                  creation.mutate({ name });
                }}
              >
                <TextInput
                  label={TEXTS.keyName}
                  value={name}
                  required
                  maxLength={100}
                  error={fieldError(creation.error, 'name', TEXTS.keyName)}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" loading={creation.isPending}>
                  {TEXTS.keyCreate}
                </Button>
              </form>
              {creation.error && <ErrorNotice error={creation.error} fields={['name']} />}
            </>
          )}
        </li>
        <li>
          <h3>{TEXTS.curlTitle}</h3>
          <p>{TEXTS.curlText}</p>
          <CallTabs call={{ key: value ?? 'YOUR_KEY', email: SAMPLE }} label={TEXTS.curlLabel} />
          <p>
            <Link to="/playground" search={{ email: SAMPLE }}>
              {TEXTS.playground}
            </Link>
          </p>
        </li>
        <li>
          <h3>{TEXTS.seeTitle}</h3>
          <div role="status">{first ? <FirstVerdict log={first} /> : <p>{TEXTS.seeText}</p>}</div>
          {first && (
            <Button disabled={value !== undefined && !stored} onClick={onDone}>
              {TEXTS.finish}
            </Button>
          )}
        </li>
      </ol>
    </Section>
  );
}

const FirstVerdict = ({ log }: { log: Log }) => (
  <>
    <p className={classes.verdict}>
      <DecisionMark decision={log.decision} large />
      <span>
        <strong>{log.risk_score}</strong> · {log.reasons[0] ?? TEXTS.noRisk}
      </span>
    </p>
    <p>
      <Link to="/logs/$id" params={{ id: log.id }}>
        {TEXTS.openLog}
      </Link>
    </p>
  </>
);
