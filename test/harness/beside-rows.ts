import { storedIp } from '@verdict/domain/email-storage.js';

/** The answer about one check: of a single check, a batch, a replay, a row of a file. */
export interface Answered {
  readonly id: string;
  readonly decision: string;
  readonly risk_score: number;
  /** Compared where the answer has them. */
  readonly email?: string;
  readonly ip?: string | null;
  readonly created_at?: string | null;
  readonly reasons?: readonly string[];
}

interface StoredRow {
  readonly id: string;
  readonly email: string | null;
  readonly ip: string | null;
  readonly decision: string;
  readonly risk_score: number;
  readonly created_at: string;
  readonly reasons: readonly string[];
}

type Sql = <T extends object>(text: string, values: unknown[]) => Promise<T[]>;

const COMPARED = ['email', 'ip', 'decision', 'risk_score', 'created_at', 'reasons'] as const;

/** Compares answers with their rows and says what differs; an answer without a row, or with two, differs too. */
export async function besideRows(sql: Sql, answers: readonly Answered[]): Promise<string[]> {
  const rows = await sql<StoredRow>(
    `SELECT l.id, s.email, s.ip, l.decision, l.risk_score::int, s.reasons,
       to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') AS created_at
     FROM (SELECT id, decision, risk_score, created_at FROM check_logs
           UNION ALL SELECT id, decision, risk_score, created_at FROM test_check_logs) l
     JOIN check_subjects s ON s.id = l.id AND s.created_at = l.created_at WHERE l.id = ANY($1)`,
    [answers.map(({ id }) => id)],
  );
  const byId = new Map<string, StoredRow[]>();
  for (const row of rows) byId.set(row.id, [...(byId.get(row.id) ?? []), row]);
  return answers.flatMap((answer) => {
    const [row, ...more] = byId.get(answer.id) ?? [];
    if (!row) return [`${answer.id}: no row`];
    const sent = { ...answer, ip: answer.ip === undefined ? undefined : storedIp('full', answer.ip) };
    const differing = COMPARED.filter(
      (name) => sent[name] !== undefined && JSON.stringify(sent[name]) !== JSON.stringify(row[name]),
    );
    return [
      ...(more.length > 0 ? [`${answer.id}: ${more.length + 1} rows`] : []),
      ...differing.map(
        (name) =>
          `${answer.id}: ${name} ${JSON.stringify(answer[name])}, its row ${JSON.stringify(row[name])}`,
      ),
    ];
  });
}
