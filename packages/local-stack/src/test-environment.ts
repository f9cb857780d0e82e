/** What `npm test` provides to every test file. */
export function testEnvironment(
  name: 'TEST_DATABASE_URL' | 'TEST_DATABASE_TEMPLATE' | 'TEST_REDIS_BIN' | 'TEST_SEEDED' | 'TEST_FILES',
): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test`);
  return value;
}
