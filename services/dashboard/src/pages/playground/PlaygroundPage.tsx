import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { check } from '../../api/check.ts';
import { keysQuery } from '../../api/keys.ts';
import { LOGS } from '../../api/logs.ts';
import { USAGE } from '../../api/usage.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { CallSamples } from './CallSamples.tsx';
import classes from './PlaygroundPage.module.css';
import { SAMPLES, PLAYGROUND_TEXTS as TEXTS } from './texts.ts';
import { Verdict } from './Verdict.tsx';

const route = getRouteApi('/app/playground');

const isOverQuota = (error: unknown): boolean => error instanceof ApiError && error.code === 'quota_exceeded';

export function PlaygroundPage() {
  const search = route.useSearch();
  const [email, setEmail] = useState(search.email ?? '');
  const [ip, setIp] = useState('');
  const [chosen, setChosen] = useState('');
  const keys = useQuery(keysQuery);
  const active = keys.data?.keys.filter(({ status }) => status === 'active') ?? [];
  const keyId = chosen || active[0]?.id || '';
  const client = useQueryClient();
  const checking = useMutation({
    mutationFn: check,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: LOGS }),
        client.invalidateQueries({ queryKey: ['overview'] }),
        client.invalidateQueries({ queryKey: USAGE }),
      ]),
  });
  const run = (address: string) => {
    const from = ip.trim();
    checking.mutate({ email: address.trim(), api_key_id: keyId, ...(from ? { ip: from } : {}) });
  };

  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro} />
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          run(email);
        }}
      >
        <TextInput
          className={classes.email}
          label={TEXTS.email}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          inputMode="email"
          required
          error={fieldError(checking.error, 'email', TEXTS.email)}
          autoFocus
        />
        <TextInput
          label={TEXTS.ip}
          value={ip}
          onChange={(event) => setIp(event.currentTarget.value)}
          placeholder="203.0.113.7"
          error={fieldError(checking.error, 'ip', TEXTS.ipWord)}
          autoComplete="off"
        />
        <NativeSelect
          label={TEXTS.key}
          value={keyId}
          disabled={active.length === 0}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={active.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Button type="submit" loading={checking.isPending} disabled={keyId === ''}>
          {TEXTS.check}
        </Button>
      </form>
      {keys.data && active.length === 0 && (
        <p>
          {TEXTS.noKey} <Link to="/keys">{TEXTS.createKey}</Link>
        </p>
      )}
      {keys.error && <ErrorNotice error={keys.error} onRetry={() => void keys.refetch()} />}
      <div aria-live="polite">
        {checking.error && (
          <ErrorNotice title={TEXTS.failed} error={checking.error} fields={['email', 'ip']}>
            {isOverQuota(checking.error) && <Link to="/billing">{TEXTS.changePlan}</Link>}
          </ErrorNotice>
        )}
        {checking.data && <Verdict result={checking.data} />}
      </div>
      {!checking.data && !checking.error && active.length > 0 && (
        <p className={classes.samples}>
          {TEXTS.before}
          {SAMPLES.map((sample) => (
            <button
              key={sample}
              type="button"
              onClick={() => {
                setEmail(sample);
                run(sample);
              }}
            >
              {sample}
            </button>
          ))}
        </p>
      )}
      <CallSamples email={email.trim() || SAMPLES[0]} ip={ip.trim()} />
    </>
  );
}
