import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { useMemo, useState } from 'react';
import { openApiQuery } from '../../api/openapi.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { OperationView } from './OperationView.tsx';
import { type Operation, operationsOf } from './operations.ts';
import classes from './ReferencePage.module.css';

/** Endpoints of the dashboard's own login and of operators, which few come for. */
const FOLDED = new Set(['auth', 'operator']);

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
                  <Group key={tag} tag={tag} operations={operations} sought={sought}>
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
                  </Group>
                ))}
              </nav>
            </div>
            <div className={classes.body}>
              {groups.length === 0 && <p>No matching endpoint.</p>}
              {groups.map(({ tag, operations }) => (
                <section key={tag} aria-label={tag}>
                  <Group tag={tag} operations={operations} sought={sought} heading>
                    {operations.map((operation) => (
                      <OperationView key={operation.id} operation={operation} api={document} />
                    ))}
                  </Group>
                </section>
              ))}
            </div>
          </div>
        )}
      </Loaded>
    </>
  );
}

/** The endpoints of a tag. Folded ones open for a search and for an address that names one of them. */
function Group({
  tag,
  operations,
  sought,
  heading = false,
  children,
}: {
  tag: string;
  operations: readonly Operation[];
  sought: string;
  heading?: boolean;
  children: React.ReactNode;
}) {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const name = heading ? <h2>{tag}</h2> : <strong>{tag}</strong>;
  if (!FOLDED.has(tag)) {
    return (
      <div>
        {name}
        {children}
      </div>
    );
  }
  const isSought = sought.trim() !== '' || operations.some(({ id }) => id === hash);
  return (
    <details key={String(isSought)} open={isSought} className={classes.folded}>
      <summary>
        {name} <span>{operations.length} endpoints</span>
      </summary>
      {children}
    </details>
  );
}
