import type { BulkJob, JobStatus } from '../../api/jobs.ts';

export const BULK_TEXTS = {
  title: 'Bulk',
  intro:
    'Check a whole file. It is read first and you see what it will cost; it runs to its end by itself, and you can close this page.',
  drop: 'Drop a file here',
  choose: 'Choose a file',
  formats: 'CSV with a header, NDJSON or a JSON array, up to 100 MB.',
  key: 'Charged to',
  column: 'Column with the addresses',
  columnHint: 'Left empty, it is found by its name: email, e-mail, mail …',
  noKey: 'A file is charged to a key, and there is no active one.',
  createKey: 'Create a key',
  sample: 'Sample file',
  uploading: (name: string) => `Uploading ${name}`,
  stop: 'Stop',
  failed: 'The file was not taken',
  jobs: 'Jobs',
  jobsNote: 'Rows and results are kept for 30 days.',
  jobsFailed: 'The jobs could not be loaded',
  loading: 'Loading jobs',
  empty: 'No file yet',
  emptyText:
    'Each distinct address of a file counts as one check; duplicates and malformed rows cost nothing.',
  file: 'File',
  status: 'Status',
  rows: 'Rows',
  done: 'Done',
  created: 'Uploaded (UTC)',
};

export const STATUS_WORDS: Record<JobStatus, string> = {
  parsing: 'reading',
  ready: 'ready',
  running: 'running',
  paused: 'paused',
  completed: 'completed',
  canceled: 'canceled',
  failed: 'failed',
  expired: 'expired',
};

export const JOB_TEXTS = {
  back: 'Bulk',
  loading: 'Loading the job',
  failed: 'The job could not be loaded',
  actFailed: 'The job did not change',
  quote: 'What it costs',
  checks: 'Checks needed',
  quotaLeft: 'Left this month',
  time: 'Expected time',
  tooFew: (missing: string) =>
    `The month has ${missing} too few. The job will pause there, and go on by itself in the new month or on a larger plan.`,
  start: 'Start',
  resume: 'Go on',
  pause: 'Pause',
  cancel: 'Cancel job',
  erase: 'Erase',
  eraseTitle: 'Erase rows and results',
  eraseText:
    'The rows of the file and their results are removed at once. The checks stay in the log and on the bill.',
  eraseName: 'Name of the file',
  erased: 'Rows and results are gone',
  progress: 'Progress',
  progressOf: (done: string, all: string) => `${done} of ${all} addresses`,
  left: (time: string) => `about ${time} left`,
  file: 'The file',
  rows: 'Rows',
  distinct: 'Distinct addresses',
  duplicates: 'Duplicates',
  malformed: 'Without a valid address',
  unknown: 'DNS gave no answer yet',
  key: 'Charged to',
  column: 'Column',
  uploaded: 'Uploaded',
  finished: 'Finished',
  kept: 'Kept until',
  results: 'Results',
  resultsNote: 'In the order of the file. Also while it runs.',
  resultsFailed: 'The results could not be loaded',
  resultsLoading: 'Loading results',
  noResults: 'No row has this decision',
  noResultsText: 'So far.',
  which: 'Decision',
  all: 'All',
  download: 'Download CSV',
  row: 'Row',
  address: 'Address',
  decision: 'Decision',
  score: 'Score',
  reasons: 'Why',
  pending: 'not yet',
};

/** Why it stands still, in a sentence. */
export function standstill({
  status,
  paused_because: reason,
  failed_because: failure,
}: BulkJob): string | null {
  if (status === 'failed') return failure;
  if (status === 'expired')
    return 'Its 30 days are over: rows and results are gone, the checks stay in the log.';
  if (status === 'ready') return 'The file is read. Nothing is checked or counted before you start it.';
  if (status !== 'paused') return null;
  if (reason === 'quota')
    return 'The month is used up. It goes on by itself in the new month, or as soon as the plan is larger.';
  if (reason === 'key_inactive')
    return 'The key that it is charged to is not active. Activate it and it goes on by itself.';
  return 'You paused it.';
}
