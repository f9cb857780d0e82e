import { Button, Checkbox, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type ApiKey, KEYS } from '../../api/keys.ts';
import type { Log } from '../../api/logs.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CallTabs } from '../../ui/copy/CallTabs.tsx';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './FirstSteps.module.css';

const SAMPLE = 'test@mailinator.com';

/** For an account without a check: from nothing to the first verdict. The key stays until the user has stored it. */
export default function FirstSteps({
  keys,
  first,
  onDone,
}: {
  keys: readonly ApiKey[];
  /** The first check, once it is there. */
  first: Log | undefined;
  onDone: () => void;
}) {
  const [name, setName] = useState('First key');
  const [stored, setStored] = useState(false);
  const creation = useAction(() => call('POST /dashboard/keys/', { body: { name } }), {
    stale: [KEYS, OVERVIEW],
  });
  const value = creation.data?.api_key;
  return (
    <Section title="Your first check, in three steps">
      <ol className={classes.steps}>
        <li>
          <h3>Create a key</h3>
          {value ? (
            <>
              <p>Copy it now. Only a hash is stored, so it cannot be shown again.</p>
              <CodeBlock code={value} label="Create a key" />
              <Checkbox
                mt={8}
                label="I have stored the key"
                checked={stored}
                onChange={(event) => setStored(event.currentTarget.checked)}
              />
            </>
          ) : keys.length > 0 ? (
            <p>
              You have a key. Put its value in place of YOUR_KEY, or create a new key if you did not store it.{' '}
              <Link to="/developers/keys">Go to keys</Link>
            </p>
          ) : (
            <>
              <p>Your app sends this key with every request. It is shown once.</p>
              <form
                className={panel.filters}
                onSubmit={(event) => {
                  event.preventDefault();
                  creation.mutate();
                }}
              >
                <TextInput
                  label="Key name"
                  value={name}
                  required
                  maxLength={100}
                  error={fieldError(creation.error, 'name', 'Key name')}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <Button type="submit" loading={creation.isPending}>
                  Create key
                </Button>
              </form>
              {creation.error && <ErrorNotice error={creation.error} fields={['name']} />}
            </>
          )}
        </li>
        <li>
          <h3>Check an address</h3>
          <p>Run this in a terminal or in your app. Any address works; this one is disposable.</p>
          <CallTabs call={{ key: value ?? 'YOUR_KEY', email: SAMPLE }} label="The call" />
          <p>
            <Link to="/checks/new" search={{ email: SAMPLE }}>
              Or check it here
            </Link>
          </p>
        </li>
        <li>
          <h3>See the verdict</h3>
          <div role="status">
            {first ? <FirstVerdict log={first} /> : <p>Waiting for your first check…</p>}
          </div>
          {first && (
            <Button disabled={value !== undefined && !stored} onClick={onDone}>
              Go to overview
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
        <strong>{log.risk_score}</strong> · {log.reasons[0] ?? 'no risk found'}
      </span>
    </p>
    <p>
      <Link to="/checks/$id" params={{ id: log.id }}>
        See how the score adds up
      </Link>
    </p>
  </>
);
