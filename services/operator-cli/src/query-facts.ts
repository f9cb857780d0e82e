import { spawn } from 'node:child_process';

interface Question {
  readonly sql: string;
  /** A folder or an address that DuckDB reads, for example `s3://bucket/archive`. */
  readonly folder: string;
  readonly json: boolean;
}

/**
 * Answers SQL over the view `facts`, all archived checks, with the program `duckdb`. It is not a dependency, because its
 * library takes 72 MB in every installation.
 */
export async function queryFacts(question: Question, write: (text: string) => void): Promise<void> {
  const args = duckdbArguments(question);
  const child = spawn('duckdb', args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let complaint = '';
  child.stdout.setEncoding('utf8').on('data', write);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ENOENT' ? new Error(withoutDuckdb(args)) : error),
    );
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(complaint.trim() || `duckdb ended with exit code ${code}`);
}

function duckdbArguments({ sql, folder, json }: Question): string[] {
  const files = `${folder}/check_logs_*.parquet`.replaceAll("'", "''");
  // Files of earlier releases lack the columns that were added since.
  const view = `CREATE VIEW facts AS SELECT * FROM read_parquet('${files}', union_by_name = true);`;
  return [...(json ? ['-json'] : []), '-c', `${view} ${sql}`];
}

const withoutDuckdb = (args: readonly string[]): string =>
  `duckdb is not installed here (one file from https://duckdb.org/install). Where it is, run:\n  duckdb ${args.map(quoted).join(' ')}`;

const quoted = (text: string): string =>
  /^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
