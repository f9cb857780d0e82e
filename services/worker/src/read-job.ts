import { type CheckLog, CheckLogSchema } from '@verdict/contracts/check-log-job.js';
import { packCheckLogs, unpackCheckLogs } from '@verdict/contracts/pack-check-logs.js';
import type { DeliveredJob } from '@verdict/queues/check-log-consumer.js';
import type { DeadLetter } from '@verdict/queues/dead-letters.js';
import { Compile } from 'typebox/compile';
import type { PendingCheck } from './pending-check.js';
import { type Privacy, toCheckRow } from './to-check-row.js';

const checkLog = Compile(CheckLogSchema);
/** What Postgres takes as a moment, and what decides the month: anything else would be a record nobody can bill. */
const CREATED_AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/;

export interface ReadJob {
  readonly checks: PendingCheck[];
  /** What cannot be persisted as it is; the rest of the job does not suffer for it. */
  readonly setAside: DeadLetter[];
}

/** How many records a job holds; one that cannot be read is one to set aside. */
export function countRecords(data: unknown): number {
  const records = (data as { checks?: unknown } | null)?.checks;
  return Array.isArray(records) ? records.length : 1;
}

/** Sorts a job's records into those that fit the contract and those that never will. */
export function readJob(job: DeliveredJob, privacy: Privacy): ReadJob {
  const records = unpackCheckLogs(job.data);
  if (!records) return { checks: [], setAside: [wholeJob(job)] };
  const checks: PendingCheck[] = [];
  const setAside: DeadLetter[] = [];
  records.forEach((record: unknown, index) => {
    if (checkLog.Check(record) && CREATED_AT.test(record.created_at)) {
      checks.push({
        row: toCheckRow(record, privacy),
        log: record,
        jobId: job.id,
        queuedAtMs: job.queuedAtMs,
      });
    } else {
      setAside.push(oneRecord(job, record, index));
    }
  });
  return { checks, setAside };
}

function wholeJob(job: DeliveredJob): DeadLetter {
  const { v: version, checks: records } = (job.data ?? {}) as { v?: unknown; checks?: unknown };
  return {
    id: `${job.id}-all`,
    reason: `the job's version ${JSON.stringify(version ?? null)} is not known to this worker`,
    logIds: Array.isArray(records) ? records.flatMap(logIdOf) : [],
    queuedAtMs: job.queuedAtMs,
    payload: job.data,
  };
}

function oneRecord(job: DeliveredJob, record: unknown, index: number): DeadLetter {
  const [problem] = checkLog.Errors(record);
  return {
    id: `${job.id}-${index}`,
    reason: problem ? `${problem.instancePath} ${problem.message}`.trim() : 'created_at is not a moment',
    logIds: logIdOf(record),
    queuedAtMs: job.queuedAtMs,
    payload: packCheckLogs([record as CheckLog]),
  };
}

function logIdOf(record: unknown): string[] {
  const id = (record as { id?: unknown } | null)?.id;
  return typeof id === 'string' ? [id] : [];
}
