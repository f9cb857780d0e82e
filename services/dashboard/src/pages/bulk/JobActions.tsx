import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { actOnJob, type BulkJob, eraseJob, JOBS, type JobAct, jobQuery } from '../../api/jobs.ts';
import { ConfirmByName } from '../../ui/dialog/ConfirmByName.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { JOB_TEXTS as TEXTS } from './texts.ts';

/** The actions that a job's state allows. */
export function JobActions({ job }: { job: BulkJob }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [erasing, setErasing] = useState(false);
  const act = useMutation({
    mutationFn: (what: JobAct) => actOnJob(job.id, what),
    onSuccess: (reply) => client.setQueryData(jobQuery(job.id).queryKey, reply),
    onError: showError(TEXTS.actFailed),
    onSettled: () => client.invalidateQueries({ queryKey: JOBS }),
  });
  const erase = useMutation({
    mutationFn: () => eraseJob(job.id),
    onSuccess: async () => {
      notifications.show({ title: TEXTS.erased, message: job.name ?? job.id });
      await navigate({ to: '/bulk' });
      client.removeQueries({ queryKey: [...JOBS, job.id] });
      await client.invalidateQueries({ queryKey: JOBS });
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
      {(status === 'ready' || status === 'running' || status === 'paused') && button('cancel', TEXTS.cancel)}
      {status === 'running' && button('pause', TEXTS.pause)}
      {status === 'ready' && button('start', TEXTS.start, true)}
      {status === 'paused' && button('start', TEXTS.resume, true)}
      {isOver && (
        <Button variant="default" onClick={() => setErasing(true)}>
          {TEXTS.erase}
        </Button>
      )}
      {erasing && (
        <ConfirmByName
          title={TEXTS.eraseTitle}
          consequence={TEXTS.eraseText}
          name={job.name ?? job.id}
          label={TEXTS.eraseName}
          action={TEXTS.erase}
          acting={erase}
          onConfirm={() => erase.mutate()}
          onClose={() => setErasing(false)}
        />
      )}
    </>
  );
}
