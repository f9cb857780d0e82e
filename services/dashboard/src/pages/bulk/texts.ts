import type { BulkJob, JobStatus } from '../../api/jobs.ts';

export const BULK_TEXTS = {
  title: 'Bulk',
  intro:
    'Check a whole file. You see the cost before it starts, and it keeps running if you close this page.',
  drop: 'Drop a file here',
  choose: 'Choose a file',
  formats: 'CSV with a header row, NDJSON or a JSON array, up to 100 MB.',
  key: 'Charge to key',
  column: 'Address column',
  columnHint: 'Leave empty to find it by name: email, e-mail, mail …',
  columnChoose: 'The columns of your file.',
  columnNone: 'Choose a column',
  noColumn: 'No column of email addresses found. Choose it above and upload the file again.',
  uploadAgain: (name: string) => `Upload ${name} again`,
  noKey: 'You need an active live key to check a file.',
  createKey: 'Create a key',
  sample: 'Sample file',
  uploading: (name: string) => `Uploading ${name}`,
  stop: 'Stop',
  failed: 'Upload failed',
  jobs: 'Jobs',
  jobsNote: 'Rows and results are kept for 30 days.',
  jobsFailed: 'Could not load the jobs',
  loading: 'Loading jobs',
  empty: 'No files yet',
  emptyText: 'Each distinct address counts as one check. Duplicate and invalid rows are free.',
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
  title: 'Bulk job',
  loading: 'Loading the job',
  failed: 'Could not load the job',
  actFailed: 'The job did not change',
  quote: 'Cost',
  checks: 'Checks needed',
  quotaLeft: 'Left this month',
  time: 'Expected time',
  tooFew: (missing: string) =>
    `You are ${missing} short. The job will pause and resume next month or after an upgrade.`,
  nothing: 'The file has no address to check.',
  start: 'Start',
  resume: 'Resume',
  pause: 'Pause',
  cancel: 'Cancel job',
  erase: 'Erase',
  eraseTitle: 'Erase rows and results',
  eraseText:
    'Removes the rows of the file and their results immediately. The checks stay in your logs and on your bill.',
  eraseName: 'File name',
  erased: 'Rows and results erased',
  progress: 'Progress',
  progressOf: (done: string, all: string) => `${done} of ${all} addresses`,
  left: (time: string) => `about ${time} left`,
  reading: (rows: string) => `Reading the file: ${rows} rows so far.`,
  askingAgain: (round: number, left: string) =>
    `All addresses are checked. Checking ${left} mail servers again that did not answer, round ${round} of up to 3.`,
  file: 'File',
  rows: 'Rows',
  distinct: 'Distinct addresses',
  duplicates: 'Duplicate rows',
  malformed: 'Invalid rows',
  unknown: 'Mail servers not checked yet',
  key: 'Charged to key',
  column: 'Column',
  uploaded: 'Uploaded',
  finished: 'Finished',
  kept: 'Kept until',
  results: 'Results',
  resultsNote: 'In file order, updated while the job runs.',
  resultsFailed: 'Could not load the results',
  resultsLoading: 'Loading results',
  noResults: 'No matching rows',
  noResultsText: 'Rows appear here as the job checks them.',
  which: 'Rows to show',
  all: 'All',
  kinds: { invalid: 'invalid', duplicate: 'duplicate' },
  preview: 'Preview',
  previewNote: (column: string) => `The first five rows. Addresses come from the column ${column}.`,
  missing: 'No such job',
  missingText: 'This account has no job with this id.',
  download: 'Download CSV',
  row: 'Row',
  address: 'Address',
  decision: 'Decision',
  score: 'Score',
  reasons: 'Reasons',
  pending: 'pending',
};

/** Explains in a sentence why the job is not running. */
export function standstill({
  status,
  paused_because: reason,
  failed_because: failure,
}: BulkJob): string | null {
  if (status === 'failed') return failure;
  if (status === 'expired')
    return 'Rows and results were removed after 30 days. The checks stay in your logs.';
  if (status === 'ready') return 'Nothing is checked or charged until you start the job.';
  if (status !== 'paused') return null;
  if (reason === 'quota')
    return 'You have used all checks of this month. The job resumes next month or after an upgrade.';
  if (reason === 'key_inactive') return 'The key of this job is inactive. Activate it and the job resumes.';
  return 'You paused this job.';
}
