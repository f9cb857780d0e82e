import { config } from './config.js';
import { grantRights } from './grant-rights.js';
import { migrate } from './migrate.js';

/** `node migrate-main.js`: prints {"applied":[…]} and exits with 0, or one sentence and 1. */
try {
  const { DATABASE_URL: url, roleUrls } = config();
  const applied = await migrate(url);
  await grantRights(url, roleUrls);
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
} catch (error) {
  process.stderr.write(`the migrations could not be applied: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
