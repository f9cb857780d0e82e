import pg from 'pg';

/** A domain whose stored checks take Postgres longer to read than any statement may run. */
export const ENDLESS = 'endless.test';

/**
 * Lets a search that meets a check of `ENDLESS` find no end, as the searches of a very large account do. Searches of others are
 * as quick as ever, because nothing is locked. Returns what ends it.
 */
export async function makeSearchesEndless(databaseUrl: string): Promise<() => Promise<void>> {
  await run(
    databaseUrl,
    `
    ALTER TABLE check_subjects ENABLE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS ordinary ON check_subjects;
    CREATE POLICY ordinary ON check_subjects USING (true) WITH CHECK (true);
    DROP POLICY IF EXISTS endless ON check_subjects;
    CREATE POLICY endless ON check_subjects AS RESTRICTIVE FOR SELECT
      USING (domain IS DISTINCT FROM '${ENDLESS}' OR pg_sleep(600) IS NULL)`,
  );
  return () => run(databaseUrl, 'DROP POLICY endless ON check_subjects');
}

async function run(databaseUrl: string, statements: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(statements);
  await owner.end();
}
