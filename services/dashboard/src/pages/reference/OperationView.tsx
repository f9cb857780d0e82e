import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OpenApi } from '../../api/openapi.ts';
import { FieldTable } from './FieldTable.tsx';
import { type Operation, resolveSchema, typeOf } from './operations.ts';
import classes from './ReferencePage.module.css';
import { TryIt } from './TryIt.tsx';
import { REFERENCE_TEXTS as TEXTS } from './texts.ts';

const JSON_TYPE = 'application/json';

export function OperationView({ operation, api }: { operation: Operation; api: OpenApi }) {
  const [trying, setTrying] = useState(false);
  const { id, method, path, summary, description, parameters = [], responses = {} } = operation;
  const bodySchema = operation.requestBody?.content?.[JSON_TYPE]?.schema;
  return (
    <article id={id} className={classes.operation} aria-labelledby={`${id}-title`}>
      <div className={classes.head}>
        <h3 id={`${id}-title`}>
          <span className={classes.method}>{method}</span>
          <code>{path}</code>
        </h3>
        <Button
          variant="default"
          size="compact-xs"
          aria-expanded={trying}
          onClick={() => setTrying(!trying)}
          aria-label={`${trying ? TEXTS.hide : TEXTS.tryIt}: ${method.toUpperCase()} ${path}`}
        >
          {trying ? TEXTS.hide : TEXTS.tryIt}
        </Button>
      </div>
      {summary && <p className={classes.summary}>{summary}</p>}
      {description && <p className={classes.summary}>{description}</p>}
      <p className={classes.auth}>
        {TEXTS.auth} {TEXTS.authNames[operation.auth]}.
      </p>
      {trying && (
        <TryIt operation={operation} {...(bodySchema ? { body: resolveSchema(bodySchema, api) } : {})} />
      )}
      {parameters.length > 0 && (
        <>
          <h4>{TEXTS.parameters}</h4>
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
                  <td>{parameter.description ?? parameter.schema?.description ?? ''}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {bodySchema && (
        <>
          <h4>{TEXTS.body}</h4>
          <FieldTable schema={resolveSchema(bodySchema, api)} api={api} />
        </>
      )}
      <h4>{TEXTS.responses}</h4>
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
    </article>
  );
}
