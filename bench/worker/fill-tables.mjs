const CHUNK = 500_000;

/**
 * Stores checks of the running month by SQL, with ids and addresses of the same shape as real ones and older than
 * everything that is measured. @param {import('pg').Pool} pool @param {number} count
 */
export async function fillTables(pool, count) {
  for (let first = 0; first < count; first += CHUNK) {
    const range = [first, Math.min(first + CHUNK, count) - 1];
    await pool.query(
      `INSERT INTO check_logs
       SELECT 'log_01KZ' || lpad(upper(to_hex(i)), 22, '0'), 'acc_bench_' || i % 1000, 'key_bench_' || i % 2000,
         (ARRAY['allow', 'challenge', 'review', 'block'])[1 + i % 4], i % 101,
         '{"disposable_email":false,"mx_valid":true,"free_provider":false}',
         '[{"code":"MX_VALID","points":0},{"code":"NEW_DOMAIN","points":10}]',
         '2026-11-01/2026-11-01/2026-11-01', 'req_' || md5(i::text),
         date_trunc('month', now(), 'UTC') + i * interval '1 microsecond'
       FROM generate_series($1::bigint, $2::bigint) AS i`,
      range,
    );
    await pool.query(
      `INSERT INTO check_subjects
       SELECT 'log_01KZ' || lpad(upper(to_hex(i)), 22, '0'), 'acc_bench_' || i % 1000,
         'person.' || i || '@company-' || i % 997 || '.example', 'company-' || i % 997 || '.example',
         translate(rtrim(encode(substring(sha256(i::text::bytea) FOR 16), 'base64'), '='), '+/', '-_'),
         '203.0.113.' || i % 256, '["The domain has mail servers","The address looks like a person"]',
         date_trunc('month', now(), 'UTC') + i * interval '1 microsecond'
       FROM generate_series($1::bigint, $2::bigint) AS i`,
      range,
    );
  }
  await pool.query('VACUUM (ANALYZE) check_logs, check_subjects');
  await pool.query('CHECKPOINT');
}
