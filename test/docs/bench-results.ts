import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-files.js';

type Figures = Readonly<Record<string, number>>;

interface Measured {
  readonly measuredOn: string;
  readonly machine: string;
}

/** Of one kind of load; a run that was not made has no figures. */
interface Load {
  readonly cpuMicros: Figures;
  readonly garbageKb?: Figures;
  readonly perSecond?: number;
}

interface Goal {
  readonly of: string;
  readonly to: string;
  readonly at_most?: number;
  readonly at_least?: number;
}

interface Results {
  readonly latest: Measured & {
    readonly accounts: number;
    readonly floors: Readonly<Record<'bare' | 'durable', { readonly many: Load }>>;
    readonly verdict: { readonly people: Load; readonly attack?: Load; readonly batch?: Load };
    readonly ratios: Readonly<Record<string, number | undefined>>;
    readonly residentMegabytes: Readonly<Record<string, { readonly now: number }>>;
  };
  readonly sizes: Measured & {
    readonly redis_bytes: {
      readonly account_with_one_key: number;
      readonly waiting_log_alone: { readonly bytes: number };
      readonly waiting_log_gathered: { readonly bytes: number };
    };
    readonly postgres_bytes_per_check: Readonly<
      Record<'check_logs' | 'check_subjects', { readonly heap: number; readonly indexes: number }>
    > & { readonly write_ahead_log: number };
  };
  readonly facts: Measured & {
    readonly sizes: readonly { readonly months: number; readonly facts: number; readonly ms: Figures }[];
  };
  readonly scale: Measured & { readonly ratios: Figures };
  readonly bulk: Measured & {
    readonly ratios: { readonly cpuPerRow: number };
    readonly results: readonly { readonly rowsPerSecond: number }[];
  };
  readonly worker: Measured & {
    readonly worker_stored: { readonly stored: number; readonly rows_per_second: number };
  };
  readonly soak: Measured & { readonly minutes: number; readonly growth: Figures };
  readonly backtest: Measured & { readonly ratios: Figures };
  readonly groups: Measured & {
    readonly checks: number;
    readonly slowestMs: number;
    readonly ratio: number;
  };
  readonly 'second-look': Measured & {
    readonly stored: number;
    readonly seconds: number;
    readonly ratios: { readonly meanBeside: number };
  };
}

interface AttackResults extends Measured {
  readonly rounds: number;
  readonly quietMs: Figures;
  /** By attack and act. */
  readonly ratios: Readonly<Record<string, Figures>>;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as T;

/** The published figures of a benchmark. */
export const benchResults = <Name extends keyof Results>(name: Name): Results[Name] =>
  readJson<Results[Name]>(`bench/results/${name}.json`);

/** The same bench with the Node of the images; undefined until it was run. */
export const onNode24 = (): Results['latest'] | undefined =>
  existsSync(join(ROOT, 'bench/results/latest-on-node-24.json'))
    ? readJson<Results['latest']>('bench/results/latest-on-node-24.json')
    : undefined;

/** Undefined until it was run. */
export const attackResults = (): AttackResults | undefined =>
  existsSync(join(ROOT, 'bench/results/attacks.json'))
    ? readJson<AttackResults>('bench/results/attacks.json')
    : undefined;

export const benchGoals = (): Readonly<Record<string, Goal>> => readJson('bench/goals.json');
