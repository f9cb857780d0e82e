import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Schema } from '../../api/openapi.ts';
import { send } from '../../api/send.ts';
import { session } from '../../api/session.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { type Operation, sampleOf } from './operations.ts';
import classes from './TryIt.module.css';

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** The key that was typed last; kept for the other endpoints of the page, and nowhere else. */
let rememberedKey = '';

/** A real request, with an own key or with the session. */
export function TryIt({ operation, body }: { operation: Operation; body?: Schema }) {
  const parameters = (operation.parameters ?? []).filter((one) => one.in === 'path' || one.in === 'query');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [key, setKey] = useState(rememberedKey);
  const [text, setText] = useState(() => (body ? JSON.stringify(sampleOf(body), null, 2) : ''));
  const valid = !body || text.trim() === '' || isJson(text);
  const sending = useAction(async (): Promise<Answer> => {
    const started = performance.now();
    const attempt = (access: string | null) => {
      const headers: Record<string, string> = {};
      if (operation.auth === 'apiKey') headers['x-api-key'] = key.trim();
      else if (operation.auth === 'bearer' && access) headers.authorization = `Bearer ${access}`;
      if (body && text.trim()) headers['content-type'] = 'application/json';
      return send(addressOf(operation, values), {
        method: operation.method.toUpperCase(),
        headers,
        ...(body && text.trim() ? { body: text } : {}),
      });
    };
    const used = session.access;
    let response = await attempt(used);
    // The token of a page that was open for long has run out; the session has not.
    if (operation.auth === 'bearer' && response.status === 401 && (await session.renew(used)))
      response = await attempt(session.access);
    const answer = await response.text();
    return {
      status: response.status,
      ms: performance.now() - started,
      text: isJson(answer) ? JSON.stringify(JSON.parse(answer), null, 2) : answer,
    };
  });
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        rememberedKey = key;
        sending.mutate();
      }}
    >
      <p className={classes.note}>Live API: checks use your quota and changes are real.</p>
      {operation.auth === 'apiKey' && (
        <PasswordInput
          size="xs"
          label="API key"
          description="It stays in this page and is sent to this server only."
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          required
        />
      )}
      {operation.auth === 'bearer' && <p className={classes.note}>Sent with your session.</p>}
      {parameters.length > 0 && (
        <div className={classes.parameters}>
          {parameters.map((one) => (
            <TextInput
              key={`${one.in} ${one.name}`}
              size="xs"
              label={one.name}
              required={one.in === 'path'}
              value={values[one.name] ?? ''}
              onChange={(event) => setValues({ ...values, [one.name]: event.currentTarget.value })}
            />
          ))}
        </div>
      )}
      {body && (
        <Textarea
          size="xs"
          label="Body (JSON)"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          rows={Math.min(12, text.split('\n').length + 1)}
          spellCheck={false}
          error={valid ? null : 'The body is not valid JSON.'}
          classNames={{ input: classes.code ?? '' }}
        />
      )}
      <div>
        <Button type="submit" size="xs" loading={sending.isPending} disabled={!valid}>
          Send request
        </Button>
      </div>
      {sending.error && <ErrorNotice error={sending.error} />}
      {sending.data && (
        <div role="status">
          <p className={classes.note}>{`${sending.data.status} in ${sending.data.ms.toFixed(0)} ms`}</p>
          <CodeBlock code={sending.data.text} label="Response" tall />
        </div>
      )}
    </form>
  );
}

function addressOf({ path, parameters = [] }: Operation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where } of parameters) {
    const value = values[name]?.trim();
    if (!value) continue;
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (where === 'query') query.set(name, value);
  }
  const search = query.toString();
  return search ? `${filled}?${search}` : filled;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
