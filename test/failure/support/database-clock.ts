import { Client } from 'pg';

export interface DatabaseClock {
  /** The clock runs from here on. */
  setTo(ms: number): Promise<void>;
}

/**
 * Gives one database a clock that a test can set: a function of the same name that its sessions find before the one of
 * Postgres. It holds for connections that are opened from here on.
 */
export async function createDatabaseClock(databaseUrl: string): Promise<DatabaseClock> {
  const name = decodeURIComponent(new URL(databaseUrl).pathname.slice(1));
  await run(`
    CREATE SCHEMA test_clock;
    CREATE TABLE test_clock.shift (by INTERVAL NOT NULL);
    INSERT INTO test_clock.shift VALUES ('0');
    CREATE FUNCTION test_clock.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
      AS $$ SELECT pg_catalog.clock_timestamp() + (SELECT by FROM test_clock.shift) $$;
    GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
    GRANT SELECT ON test_clock.shift TO PUBLIC;
    ALTER DATABASE "${name}" SET search_path = public, test_clock, pg_catalog;
    -- Functions that run with the owner's rights do not look where their caller looks.
    DO $$ DECLARE "pinned" regprocedure; BEGIN
      FOR "pinned" IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = public, test_clock, pg_catalog, pg_temp', "pinned");
      END LOOP;
    END $$`);

  async function run(sql: string): Promise<void> {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }
  return {
    setTo: (ms) =>
      run(
        `UPDATE test_clock.shift SET by = to_timestamp(${ms / 1000}::float8) - pg_catalog.clock_timestamp()`,
      ),
  };
}
