import { Button, SegmentedControl } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OpenApi } from '../../api/openapi.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { FieldTable } from './FieldTable.tsx';
import { InlineCode } from './InlineCode.tsx';
import { type Operation, resolveSchema, sampleOf, typeOf } from './operations.ts';
import classes from './ReferencePage.module.css';
import { requestSamples } from './request-samples.ts';
import { TryIt } from './TryIt.tsx';
import { REFERENCE_TEXTS as TEXTS } from './texts.ts';

const JSON_TYPE = 'application/json';

/** One endpoint: a line until it is opened, by its heading or by its address (`#get-…`). */
export function OperationView({ operation, api }: { operation: Operation; api: OpenApi }) {
  const { id, method, path, summary } = operation;
  const addressed = useRouterState({ select: (state) => state.location.hash === id });
  const [open, setOpen] = useState(addressed);
  useEffect(() => {
    if (addressed) setOpen(true);
  }, [addressed]);
  return (
    <article id={id} className={classes.operation}>
      <h3>
        <button type="button" className={classes.heading} aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className={classes.method}>{method}</span>
          <code>{path}</code>
          <span className={classes.summary}>
            <InlineCode>{summary}</InlineCode>
          </span>
        </button>
      </h3>
      {open && <Details operation={operation} api={api} />}
    </article>
  );
}

function Details({ operation, api }: { operation: Operation; api: OpenApi }) {
  const [trying, setTrying] = useState(false);
  const { method, path, description, parameters = [], responses = {} } = operation;
  const bodySchema = operation.requestBody?.content?.[JSON_TYPE]?.schema;
  return (
    <div className={classes.details}>
      {description && (
        <p>
          <InlineCode>{description}</InlineCode>
        </p>
      )}
      <div className={classes.auth}>
        Authentication {TEXTS.authNames[operation.auth]}.
        <Button
          variant="default"
          size="compact-xs"
          aria-expanded={trying}
          onClick={() => setTrying(!trying)}
          aria-label={`${trying ? 'Close' : 'Try it'}: ${method.toUpperCase()} ${path}`}
        >
          {trying ? 'Close' : 'Try it'}
        </Button>
      </div>
      {trying && (
        <TryIt operation={operation} {...(bodySchema ? { body: resolveSchema(bodySchema, api) } : {})} />
      )}
      <Samples
        operation={operation}
        {...(bodySchema && { body: sampleOf(resolveSchema(bodySchema, api)) })}
      />
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <table className={classes.fields}>
            <tbody>
              {parameters.map((parameter) => (
                <tr key={`${parameter.in} ${parameter.name}`}>
                  <th scope="row">
                    <code>{parameter.name}</code>
                    <small>
                      {parameter.in}, {parameter.required ? TEXTS.required : TEXTS.optional}
                    </small>
                  </th>
                  <td>{typeOf(parameter.schema ?? {})}</td>
                  <td>
                    <InlineCode>{parameter.description ?? parameter.schema?.description}</InlineCode>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {bodySchema && (
        <>
          <h4>Body</h4>
          <FieldTable schema={resolveSchema(bodySchema, api)} api={api} />
        </>
      )}
      <h4>Responses</h4>
      <ul className={classes.answers}>
        {Object.entries(responses).map(([status, { description: said, content }]) => {
          const schema = content?.[JSON_TYPE]?.schema;
          return (
            <li key={status}>
              {schema ? (
                <details>
                  <summary>
                    <code>{status}</code> {said}
                  </summary>
                  <FieldTable schema={resolveSchema(schema, api)} api={api} />
                </details>
              ) : (
                <>
                  <code>{status}</code> {said}
                </>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

type Language = keyof ReturnType<typeof requestSamples>;

function Samples({ operation, body }: { operation: Operation; body?: unknown }) {
  const [language, setLanguage] = useState<Language>('curl');
  const samples = requestSamples(operation, window.location.origin, body);
  return (
    <div className={classes.samples}>
      <SegmentedControl
        size="xs"
        aria-label="Language of the sample"
        data={Object.keys(samples)}
        value={language}
        onChange={(name) => setLanguage(name as Language)}
      />
      <CodeBlock code={samples[language]} label={`${language}: ${operation.method} ${operation.path}`} />
    </div>
  );
}
