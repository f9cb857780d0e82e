import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type Body, call } from '../../api/call.ts';
import { keysQuery } from '../../api/keys.ts';
import { LOGS } from '../../api/logs.ts';
import { OVERVIEW, USAGE } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { CallSamples } from './CallSamples.tsx';
import classes from './PlaygroundPage.module.css';
import { SAMPLES } from './texts.ts';
import { Verdict } from './Verdict.tsx';

const route = getRouteApi('/app/checks/new');

const isOverQuota = (error: unknown): boolean => error instanceof ApiError && error.code === 'quota_exceeded';

export function PlaygroundPage() {
  const search = route.useSearch();
  const [email, setEmail] = useState(search.email ?? '');
  const [ip, setIp] = useState('');
  const [chosen, setChosen] = useState('');
  const keys = useQuery(keysQuery);
  const active = keys.data?.keys.filter(({ status }) => status === 'active') ?? [];
  const keyId = chosen || active[0]?.id || '';
  const checking = useAction(
    (body: Body<'POST /check/'>) => call('POST /check/', { query: { expand: 'signals,breakdown' }, body }),
    { stale: [LOGS, OVERVIEW, USAGE] },
  );
  const run = (address: string) => {
    const from = ip.trim();
    checking.mutate({ email: address.trim(), api_key_id: keyId, ...(from ? { ip: from } : {}) });
  };

  return (
    <>
      <PageHeader
        title="Check an address"
        intro="See the decision and why. Uses one check and appears under Checks."
      />
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          run(email);
        }}
      >
        <TextInput
          className={classes.email}
          label="Email address"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          required
          error={fieldError(checking.error, 'email', 'Email address')}
          autoFocus
        />
        <TextInput
          label="IP address (optional)"
          value={ip}
          onChange={(event) => setIp(event.currentTarget.value)}
          placeholder="203.0.113.7"
          error={fieldError(checking.error, 'ip', 'IP address')}
          autoComplete="off"
        />
        <NativeSelect
          label="Key"
          value={keyId}
          disabled={active.length === 0}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={active.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Button type="submit" loading={checking.isPending} disabled={keyId === ''}>
          Check
        </Button>
      </form>
      {keys.data && active.length === 0 && (
        <p>
          You need an active key to run a check. <Link to="/developers/keys">Create a key</Link>
        </p>
      )}
      {!keys.data && (
        <Loaded query={keys} what="the keys" skeleton={null}>
          {() => null}
        </Loaded>
      )}
      <div aria-live="polite">
        {checking.error && (
          <ErrorNotice title="Check refused" error={checking.error} fields={['email', 'ip']}>
            {isOverQuota(checking.error) && <Link to="/billing">Change plan</Link>}
          </ErrorNotice>
        )}
        {checking.data && <Verdict result={checking.data} />}
      </div>
      {!checking.data && !checking.error && active.length > 0 && (
        <Samples
          onChoose={(sample) => {
            setEmail(sample);
            run(sample);
          }}
        />
      )}
      <CallSamples email={email.trim() || SAMPLES[0]} ip={ip.trim()} />
    </>
  );
}

const Samples = ({ onChoose }: { onChoose: (sample: string) => void }) => (
  <p className={classes.samples}>
    Try one of these, or any other address:
    {SAMPLES.map((sample) => (
      <button key={sample} type="button" onClick={() => onChoose(sample)}>
        {sample}
      </button>
    ))}
  </p>
);
