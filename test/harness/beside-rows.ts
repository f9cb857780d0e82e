import { storedIp } from '@verdict/domain/email-storage.js';
import { eventually } from '@verdict/local-stack/eventually.js';

/** One check as an answer, a batch, a replay, a file, evidence, a webhook or a hook shows it. */
export type Answered = Shown & ({ readonly id: string } | { readonly log_id: string | null });

/** Compared where it is shown. */
interface Shown {
  readonly decision?: string | null;
  readonly risk_score?: number;
  readonly email?: string;
  readonly ip?: string | null;
  readonly created_at?: string | null;
  readonly reasons?: readonly string[];
  readonly mx_valid?: boolean;
  readonly tag?: string | null;
  readonly signals?: Readonly<Record<string, unknown>>;
}

interface StoredRow {
  readonly id: string;
  readonly email: string | null;
  readonly ip: string | null;
  readonly decision: string;
  readonly risk_score: number;
  readonly created_at: string;
  readonly reasons: readonly string[];
  readonly mx_valid: boolean;
  readonly tag: string | null;
}

type Sql = <T extends object>(text: string, values: unknown[]) => Promise<T[]>;

const COMPARED = [
  'email',
  'ip',
  'decision',
  'risk_score',
  'created_at',
  'reasons',
  'mx_valid',
  'tag',
] as const;
const NO_ROW = ': no row';
const idOf = (answer: Answered): string => ('id' in answer ? answer.id : answer.log_id) ?? 'no id';
/** Rows are stored after the answer. */
const STORED_WITHIN_MS = 240_000;

/** Waits until every answer has its row, as long as that may take, and compares them. */
export async function storedAsAnswered(sql: Sql, answers: readonly Answered[]): Promise<string[]> {
  let differing: string[] = [];
  const isStored = async () => {
    differing = await besideRows(sql, answers);
    return !differing.some((one) => one.endsWith(NO_ROW));
  };
  await eventually(isStored, { withinMs: STORED_WITHIN_MS }).catch(() => null);
  return differing;
}

/** Compares answers with their rows and says what differs; an answer without a row, or with two, differs too. */
export async function besideRows(sql: Sql, answers: readonly Answered[]): Promise<string[]> {
  const rows = await sql<StoredRow>(
    `SELECT l.id, s.email, s.ip, l.decision, l.risk_score::int, s.reasons, (l.signals ->> 'mx_valid')::bool AS mx_valid, l.tag,
       to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS created_at
     FROM (SELECT id, decision, risk_score, signals, created_at, tag FROM check_logs
           UNION ALL SELECT id, decision, risk_score, signals, created_at, tag FROM test_check_logs) l
     JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at WHERE l.id = ANY($1)`,
    [answers.map(idOf)],
  );
  const byId = new Map<string, StoredRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return answers.flatMap((answer) => {
    const id = idOf(answer);
    const [row, ...more] = byId.get(id) ?? [];
    if (!row) return [`${id}${NO_ROW}`];
    const sent = {
      ...answer,
      ip: answer.ip === undefined ? undefined : storedIp('full', answer.ip),
      mx_valid: answer.mx_valid ?? answer.signals?.mx_valid,
    };
    const differing = COMPARED.filter(
      (name) => sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(row[name]),
    );
    return [
      ...(more.length > 0 ? [`${id}: ${more.length + 1} rows`] : []),
      ...differing.map(
        (name) => `${id}: ${name} ${JSON.stringify(sent[name])}, its row ${JSON.stringify(row[name])}`,
      ),
    ];
  });
}
