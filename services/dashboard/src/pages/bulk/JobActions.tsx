import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { type BulkJob, JOBS, type JobAct, jobQuery } from '../../api/jobs.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';

/** The actions that a job's state allows. */
export function JobActions({ job }: { job: BulkJob }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [erasing, setErasing] = useState(false);
  const of = { params: { id: job.id } };
  const act = useAction((what: JobAct) => call(`POST /jobs/:id/${what}/`, of), {
    stale: [JOBS],
    failed: 'The job did not change',
    then: (reply) => client.setQueryData(jobQuery(job.id).queryKey, reply),
  });
  const erase = useAction((_: FormData) => call('DELETE /jobs/:id/', of), {
    stale: [JOBS],
    done: { title: 'Rows and results erased', message: job.name ?? job.id },
    then: async () => {
      await navigate({ to: '/bulk' });
      client.removeQueries({ queryKey: [...JOBS, job.id] });
    },
  });
  const { status } = job;
  // A file without an address to check has nothing to start.
  const isEmpty = job.quote?.checks_needed === 0;
  const button = (what: JobAct, label: string, main = false) => (
    <Button
      disabled={what === 'start' && status === 'ready' && isEmpty}
      {...(main ? {} : { variant: 'default' })}
      loading={act.isPending && act.variables === what}
      onClick={() => act.mutate(what)}
    >
      {label}
    </Button>
  );
  const isOver = status === 'completed' || status === 'canceled' || status === 'failed';
  return (
    <>
      {(status === 'ready' || status === 'running' || status === 'paused') && button('cancel', 'Cancel job')}
      {status === 'running' && button('pause', 'Pause')}
      {status === 'ready' && button('start', 'Start', true)}
      {status === 'paused' && button('start', 'Resume', true)}
      {isOver && (
        <Button variant="default" onClick={() => setErasing(true)}>
          Erase
        </Button>
      )}
      {erasing && (
        <ConfirmByName
          title="Erase rows and results"
          consequence="Removes the rows of the file and their results immediately. The checks stay under Checks and on your bill."
          name={job.name ?? job.id}
          label="File name"
          submit="Erase"
          action={erase}
          onClose={() => setErasing(false)}
        />
      )}
    </>
  );
}
