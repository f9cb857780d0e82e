import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type BulkJob, JOBS, jobQuery } from '../../api/jobs.ts';
import { keysQuery } from '../../api/keys.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { Facts } from '../../ui/page/Facts.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { JobActions } from './JobActions.tsx';
import { JobProgress } from './JobProgress.tsx';
import { JobQuote } from './JobQuote.tsx';
import { JobPreview, JobResults } from './JobResults.tsx';
import { JOB_TEXTS as TEXTS } from './texts.ts';

const route = getRouteApi('/app/bulk/$id');

export function JobPage() {
  const { id } = route.useParams();
  const filter = route.useSearch();
  const query = useQuery(jobQuery(id));
  const job = query.data?.job;
  const isMissing = query.error instanceof ApiError && query.error.status === 404;
  const client = useQueryClient();
  // The last rows were done after the last look.
  const status = job?.status;
  useEffect(() => {
    if (status === 'completed') void client.invalidateQueries({ queryKey: [...JOBS, id, 'results'] });
  }, [client, id, status]);
  const hasRows = job !== undefined && !['parsing', 'ready', 'failed', 'expired'].includes(job.status);
  return (
    <>
      <nav className={breadcrumb.back} aria-label="Breadcrumb">
        <Link to="/bulk">{TEXTS.back}</Link>
      </nav>
      <PageHeader title={job?.name ?? (isMissing ? TEXTS.missing : TEXTS.title)}>
        {job && <JobActions job={job} />}
      </PageHeader>
      {isMissing ? (
        <p>{TEXTS.missingText}</p>
      ) : query.error && !job ? (
        <ErrorNotice title={TEXTS.failed} error={query.error} onRetry={() => void query.refetch()} />
      ) : !job ? (
        <SkeletonRows rows={8} label={TEXTS.loading} />
      ) : (
        <>
          <div className={panel.wideAndNarrow}>
            <div>
              {job.quote && job.status === 'ready' && <JobQuote quote={job.quote} />}
              <JobProgress job={job} />
              {job.quote && job.status !== 'running' && job.status !== 'ready' && (
                <JobQuote quote={job.quote} />
              )}
            </div>
            <FileFacts job={job} />
          </div>
          {job.status === 'ready' && <JobPreview job={job} />}
          {hasRows && <JobResults job={job} filter={filter} />}
        </>
      )}
    </>
  );
}

function FileFacts({ job }: { job: BulkJob }) {
  const keys = useQuery(keysQuery);
  const key = keys.data?.keys.find(({ id }) => id === job.api_key_id);
  return (
    <Section title={TEXTS.file}>
      <Facts
        facts={[
          [TEXTS.rows, formatCount(job.rows)],
          [TEXTS.distinct, formatCount(job.distinct)],
          [TEXTS.duplicates, formatCount(job.duplicates)],
          [TEXTS.malformed, formatCount(job.malformed)],
          ...(job.unknown > 0 ? [[TEXTS.unknown, formatCount(job.unknown)] as const] : []),
          [TEXTS.key, key?.name ?? job.api_key_id],
          ...(job.column ? [[TEXTS.column, job.column] as const] : []),
          [TEXTS.uploaded, <Time key="uploaded" at={job.created_at} relative />],
          ...(job.finished_at
            ? [[TEXTS.finished, <Time key="finished" at={job.finished_at} relative />] as const]
            : []),
          [TEXTS.kept, <Time key="kept" at={job.expires_at} />],
        ]}
      />
    </Section>
  );
}
