import pg from 'pg';

/** A domain whose stored checks take the search for what an entry would change longer to read than any statement may run. */
export const ENDLESS = 'endless.test';

/**
 * Lets that search find no end, as in a very large account. Every other statement is as quick as ever, also where its plan
 * reads the whole table, because nothing is locked. Returns what ends it.
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
      USING (domain IS DISTINCT FROM '${ENDLESS}' OR current_query() NOT LIKE '%is_spelling%' OR pg_sleep(600) IS NULL)`,
  );
  return () => run(databaseUrl, 'DROP POLICY endless ON check_subjects');
}

async function run(databaseUrl: string, statements: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  await owner.query(statements);
  await owner.end();
}
