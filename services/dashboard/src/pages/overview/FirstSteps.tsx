import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ApiKey, createKey, KEYS } from '../../api/keys.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { curlCall } from '../../ui/copy/code-samples.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import classes from './FirstSteps.module.css';
import { FIRST_STEPS_TEXTS as TEXTS } from './texts.ts';

const SAMPLE = 'test@mailinator.com';

/** For an account without a check: from nothing to the first one. */
export function FirstSteps({ keys }: { keys: readonly ApiKey[] }) {
  const [name, setName] = useState(TEXTS.keyDefault);
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
            </>
          ) : keys.length > 0 ? (
            <p>{TEXTS.keyHave}</p>
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
                  withAsterisk={false}
                  maxLength={100}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" loading={creation.isPending}>
                  {TEXTS.keyCreate}
                </Button>
              </form>
              {creation.error && <ErrorNotice error={creation.error} />}
            </>
          )}
        </li>
        <li>
          <h3>{TEXTS.curlTitle}</h3>
          <p>{TEXTS.curlText}</p>
          <CodeBlock code={curlCall({ key: value ?? 'YOUR_KEY', email: SAMPLE })} label={TEXTS.curlLabel} />
          <p>
            <Link to="/playground" search={{ email: SAMPLE }}>
              {TEXTS.playground}
            </Link>
          </p>
        </li>
        <li>
          <h3>{TEXTS.seeTitle}</h3>
          <p role="status">{TEXTS.seeText}</p>
        </li>
      </ol>
    </Section>
  );
}
