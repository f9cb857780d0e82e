import {
  type BatchItem,
  type CheckOutcome,
  type Decision,
  type JobFile,
  type OutcomeItem,
  Verdict,
  VerdictError,
  verifyWebhook,
} from '@verdict/sdk';
import type { Driver, Outcome, Task } from './run-case.js';

interface Message {
  readonly secret: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly now: number;
}

/** The TypeScript client, in this process. `writeFile` writes a file and gives its path. */
export function driveTypeScript(writeFile: (text: string) => string): Driver {
  return async ({ baseUrl, client: options, call, calls, atOnce }) => {
    const warnings: string[] = [];
    const verdict = new Verdict<Decision | undefined>({
      apiKey: 'k',
      timeoutMs: 60_000,
      deadlineMs: 120_000,
      ...options,
      baseUrl,
      warn: (message) => warnings.push(message),
    });
    const once = () => outcomeOf(verdict, call, writeFile);
    if (atOnce > 0) {
      const outcomes = await Promise.all(Array.from({ length: atOnce }, once));
      return { calls: count(outcomes.map(endingOf)) };
    }
    let outcome: Outcome = {};
    for (let i = 0; i < calls; i++) outcome = await once();
    return { ...outcome, warnings, ipsDropped: verdict.ipsDropped };
  };
}

async function outcomeOf(
  verdict: Verdict<Decision | undefined>,
  call: Task['call'],
  writeFile: (text: string) => string,
): Promise<Outcome> {
  let read = 0;
  try {
    const value = await make(verdict, call, writeFile, () => read++);
    return isFallback(value) ? { fallback: { ...value, ...told(value.fallback) } } : { value };
  } catch (error) {
    if (error instanceof VerdictError) return { error: told(error), read };
    if (error instanceof TypeError) return { usageError: error.message };
    return { fileError: String(error) };
  }
}

const endingOf = ({ value, fallback, error }: Outcome): string => {
  if (value) return 'answered';
  return fallback ? 'fallback' : (error?.code ?? 'other');
};

function count(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const isFallback = (value: unknown): value is CheckOutcome<Decision> & { fallback: VerdictError } =>
  (value as { fallback?: unknown } | undefined)?.fallback instanceof VerdictError;

const told = (error: VerdictError) => ({ ...error, message: error.message, quotaUsedUp: error.quotaUsedUp });

async function make(
  verdict: Verdict<Decision | undefined>,
  { method, input, as, options }: Task['call'],
  writeFile: (text: string) => string,
  onRead: () => void,
): Promise<unknown> {
  if (method === 'check') return verdict.check(input as string, options);
  if (method === 'checkBatch') return verdict.checkBatch(input as BatchItem[], options);
  if (method === 'checkEach') return all(verdict.checkEach(input as BatchItem[], options), onRead);
  if (method === 'jobs.results') return all(verdict.jobs.results(input as string, options), onRead);
  if (method === 'verifyWebhook') {
    const { secret, headers, body, now } = input as Message;
    return verifyWebhook(secret, headers, body, { now: () => now * 1_000 });
  }
  if (method === 'jobs.create') return verdict.jobs.create(fileOf(input, as, writeFile), options);
  if (method === 'jobs.get' || method === 'jobs.wait' || method === 'jobs.start') {
    return verdict.jobs[method.slice(5) as 'get' | 'wait' | 'start'](input as string, options);
  }
  if (method === 'outcomes') return verdict.outcomes(input as OutcomeItem[], options);
  if (method === 'status' || method === 'usage') return verdict[method](options);
  throw new Error(`no such call: ${method}`);
}

function fileOf(input: unknown, as: Task['call']['as'], writeFile: (text: string) => string): JobFile {
  if (as === 'path') return { path: writeFile(input as string) };
  if (as === 'missing') return { path: 'nowhere.csv' };
  if (as === 'stream') return stream(input as string);
  return input as JobFile;
}

async function* stream(text: string): AsyncGenerator<string> {
  yield* text.split(/(?<=\n)/);
}

async function all<T>(items: AsyncIterable<T>, onRead: () => void): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) {
    onRead();
    list.push(item);
  }
  return list;
}
