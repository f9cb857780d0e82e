import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { useMemo, useState } from 'react';
import { openApiQuery } from '../../api/openapi.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { OperationView } from './OperationView.tsx';
import { operationsOf } from './operations.ts';
import classes from './ReferencePage.module.css';

export function ReferencePage() {
  const api = useQuery(openApiQuery);
  const [sought, setSought] = useState('');
  const groups = useMemo(() => {
    if (!api.data) return [];
    const wanted = sought.trim().toLowerCase();
    return [...operationsOf(api.data)]
      .map(([tag, operations]) => ({
        tag,
        operations: operations.filter(({ path, summary = '', method }) =>
          `${method} ${path} ${summary}`.toLowerCase().includes(wanted),
        ),
      }))
      .filter(({ operations }) => operations.length > 0);
  }, [api.data, sought]);
  return (
    <>
      <PageHeader
        title="API reference"
        intro={
          <>
            Generated from the schemas the API validates with, so it always matches this server.{' '}
            <a href={OPENAPI_PATH}>openapi.json</a>
          </>
        }
      />
      <Loaded query={api} what="the reference" rows={16}>
        {(document) => (
          <div className={classes.columns}>
            <div className={classes.contents}>
              <TextInput
                type="search"
                size="xs"
                aria-label="Find an endpoint"
                placeholder="Find an endpoint"
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
              />
              <nav aria-label="Endpoints">
                {groups.map(({ tag, operations }) => (
                  <div key={tag}>
                    <strong>{tag}</strong>
                    <ul>
                      {operations.map(({ id, method, path }) => (
                        <li key={id}>
                          <Link to="/docs/reference" hash={id} title={path}>
                            <span className={classes.method}>{method}</span>
                            {path.replace('/api/v1', '')}
                          </Link>
                        </li>
                      ))}
                    </ul>
                  </div>
                ))}
              </nav>
            </div>
            <div className={classes.body}>
              {groups.length === 0 && <p>No matching endpoint.</p>}
              {groups.map(({ tag, operations }) => (
                <section key={tag} aria-label={tag}>
                  <h2>{tag}</h2>
                  {operations.map((operation) => (
                    <OperationView key={operation.id} operation={operation} api={document} />
                  ))}
                </section>
              ))}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}
