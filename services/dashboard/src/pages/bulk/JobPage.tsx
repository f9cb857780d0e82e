import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { type BulkJob, JOBS, jobQuery, type ResultFilter } from '../../api/jobs.ts';
import { keysQuery } from '../../api/keys.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import breadcrumb from '../../ui/page/Breadcrumb.module.css';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { JobActions } from './JobActions.tsx';
import { JobProgress } from './JobProgress.tsx';
import { JobQuote } from './JobQuote.tsx';
import { JobPreview, JobResults } from './JobResults.tsx';

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
  return (
    <>
      <nav className={breadcrumb.back} aria-label="Breadcrumb">
        <Link to="/bulk">Bulk</Link>
      </nav>
      <PageHeader title={job?.name ?? (isMissing ? 'No such job' : 'Bulk job')}>
        {job && <JobActions job={job} />}
      </PageHeader>
      {isMissing ? (
        <p>This account has no job with this id.</p>
      ) : (
        <Loaded query={query} what="the job">
          {({ job: shown }) => <Job job={shown} filter={filter} />}
        </Loaded>
      )}
    </>
  );
}

function Job({ job, filter }: { job: BulkJob; filter: ResultFilter }) {
  const hasRows = !['parsing', 'ready', 'failed', 'expired'].includes(job.status);
  return (
    <>
      <div className={panel.wideAndNarrow}>
        <div>
          {job.quote && job.status === 'ready' && <JobQuote quote={job.quote} />}
          <JobProgress job={job} />
          {job.quote && job.status !== 'running' && job.status !== 'ready' && <JobQuote quote={job.quote} />}
        </div>
        <FileFacts job={job} />
      </div>
      {job.status === 'ready' && <JobPreview job={job} />}
      {hasRows && <JobResults job={job} filter={filter} />}
    </>
  );
}

function FileFacts({ job }: { job: BulkJob }) {
  const keys = useQuery(keysQuery);
  const key = keys.data?.keys.find(({ id }) => id === job.api_key_id);
  return (
    <Section title="File">
      <Facts
        facts={[
          ['Rows', formatCount(job.rows)],
          ['Distinct addresses', formatCount(job.distinct)],
          ['Duplicate rows', formatCount(job.duplicates)],
          ['Invalid rows', formatCount(job.malformed)],
          ...(job.unknown > 0
            ? [
                [
                  job.status === 'completed' ? 'Mail servers not checked' : 'Mail servers not checked yet',
                  formatCount(job.unknown),
                ] as const,
              ]
            : []),
          ['Charged to key', key?.name ?? job.api_key_id],
          ...(job.column ? [['Column', job.column] as const] : []),
          ['Uploaded', <Time key="uploaded" at={job.created_at} relative />],
          ...(job.finished_at
            ? [['Finished', <Time key="finished" at={job.finished_at} relative />] as const]
            : []),
          ['Kept until', <Time key="kept" at={job.expires_at} />],
        ]}
      />
      <p className={panel.note}>{consideredLine(job.considered)}</p>
    </Section>
  );
}
