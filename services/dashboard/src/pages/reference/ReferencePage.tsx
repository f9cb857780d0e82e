import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { useMemo, useState } from 'react';
import { openApiQuery } from '../../api/openapi.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { OperationView } from './OperationView.tsx';
import { operationsOf } from './operations.ts';
import classes from './ReferencePage.module.css';
import { REFERENCE_TEXTS as TEXTS } from './texts.ts';

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
        title={TEXTS.title}
        intro={
          <>
            {TEXTS.intro} <a href={OPENAPI_PATH}>{TEXTS.raw}</a>
          </>
        }
      />
      {api.error ? (
        <ErrorNotice title={TEXTS.failed} error={api.error} onRetry={() => void api.refetch()} />
      ) : !api.data ? (
        <SkeletonRows rows={16} label={TEXTS.loading} />
      ) : (
        <div className={classes.columns}>
          <div className={classes.contents}>
            <TextInput
              type="search"
              size="xs"
              aria-label={TEXTS.search}
              placeholder={TEXTS.search}
              value={sought}
              onChange={(event) => setSought(event.currentTarget.value)}
            />
            <nav aria-label={TEXTS.contents}>
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
            {groups.length === 0 && <p>{TEXTS.none}</p>}
            {groups.map(({ tag, operations }) => (
              <section key={tag} aria-label={tag}>
                <h2>{tag}</h2>
                {operations.map((operation) => (
                  <OperationView key={operation.id} operation={operation} api={api.data} />
                ))}
              </section>
            ))}
          </div>
        </div>
      )}
    </>
  );
}
