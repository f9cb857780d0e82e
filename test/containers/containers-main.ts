import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { Pool, type QueryResultRow } from 'pg';
import { failuresOf, type LoadResult, startCheckLoad } from '../harness/check-load.js';
import { containersOf, docker, finish } from '../harness/compose.js';
import { type PersistedChecks, persistedChecks } from '../harness/persisted-checks.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';
import { findEngine } from './find-engine.js';
import { killOneOfEach, rollAll } from './replace-replicas.js';
import { type ContainerStack, doublePlans, startContainers } from './start-containers.js';
import { twoClients } from './two-clients.js';
import { typeRunbook } from './type-runbook.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const CONNECTIONS = 16;
const PER_SECOND = 150;
/** Failures that are shown one by one. */
const SHOWN_MAX = 20;
const PAUSE = `fetch('http://127.0.0.1:9080/metrics').then((answer) => answer.text()).then((text) => {
  console.log(/^nodejs_eventloop_lag_max_seconds.*$/m.exec(text)?.[0]);
})`;

/**
 * `npm run test:containers`: the images, the scaled stack, the contract through the edge, two clients with different
 * addresses, replicas that die and are replaced under load, with other plans after the restart, and every command of the
 * runbook and of the rotation of secrets. Exits 1 when an accepted check was lost, when the bill differs from the rows, when
 * an orderly restart cost a single request, or when a command of the pages does not do what they say.
 */
async function main(): Promise<boolean> {
  const engine = await findEngine();
  if ('missing' in engine) {
    say(`skipped: ${engine.missing}`);
    return true;
  }
  const stack = await startContainers(engine.command, say);
  const pool = new Pool({ connectionString: stack.databaseUrl, max: 2 });
  try {
    const contract = await runContract(stack);
    const wrong = await twoClients(stack, say);
    const killed = await underLoad(stack, pool, 'killed', (_, tell) => killOneOfEach(stack.project, tell));
    const rolled = await underLoad(stack, pool, 'rolled', (apiKey, tell) =>
      rollToOtherPlans(stack, apiKey, tell),
    );
    wrong.push(...(await typeRunbook(stack, say)));
    for (const what of wrong) say(`does not hold: ${what}`);
    say(contract.summary);
    return (
      contract.passed &&
      wrong.length === 0 &&
      [killed, rolled].every((run) => run.lost.length === 0 && run.rows === run.rollup) &&
      failuresOf(rolled) === 0
    );
  } finally {
    await pool.end();
    await stack.stop();
  }
}

async function runContract(stack: ContainerStack): Promise<{ passed: boolean; summary: string }> {
  say('the contract suite, through the edge');
  const target = join(stack.directory, 'target.json');
  const { project, baseUrl, databaseUrl, account } = stack;
  await writeFile(target, JSON.stringify({ project, baseUrl, databaseUrl, account }), { mode: 0o600 });
  const run = await finish(process.execPath, [inRoot('dist/tools/test.contract.contract.test.js')], {
    CONTRACT_TARGET: target,
    TAP_TIMEOUT: '300',
  });
  const passed = run.code === 0;
  if (!passed) say(run.stdout);
  const asserts = /# \{ total: (\d+), pass: (\d+)/.exec(run.stdout);
  return { passed, summary: `contract: ${asserts?.[2] ?? '?'} of ${asserts?.[1] ?? '?'} assertions hold` };
}

/** Throws when the quota of the plan is not the new one soon after the roll. */
async function rollToOtherPlans(
  { project, baseUrl, directory }: ContainerStack,
  apiKey: string,
  tell: (text: string) => void,
): Promise<void> {
  const limit = async () => {
    const answer = await http<{ checks_limit: number }>(`${baseUrl}usage/`, {
      headers: { 'x-api-key': apiKey },
    });
    return answer.body.checks_limit;
  };
  const before = await limit();
  await doublePlans(directory);
  await rollAll(project, tell);
  // Each control plane compares all accounts with its plans a minute after its start.
  await eventually(async () => (await limit()) === before * 2, { everyMs: 1_000 });
  say(`the quota went from ${before} to ${before * 2} checks`);
}

async function underLoad(
  stack: ContainerStack,
  pool: Pool,
  name: string,
  work: (apiKey: string, tell: (text: string) => void) => Promise<void>,
): Promise<LoadResult & PersistedChecks> {
  const { accountId, apiKey } = await seedContainerAccount(stack.project, {
    email: `${name}@example.com`,
    plan: 'load',
  });
  const load = startCheckLoad({
    baseUrls: [stack.baseUrl],
    apiKey,
    connections: CONNECTIONS,
    perSecond: PER_SECOND,
  });
  let result: LoadResult;
  try {
    await work(apiKey, (text) => say(`${Math.round(load.seconds())} s: ${text}`));
  } finally {
    result = await load.stop();
  }
  const sql = async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    (await pool.query<Row>(text, [...values])).rows;
  const persisted = await persistedChecks(sql, accountId, result.accepted);
  const failures = Object.entries(result.failures).map(([what, count]) => `${count} x ${what}`);
  say(
    [
      `${name}: ${result.attempts} requests in ${Math.round(result.seconds)} s`,
      `${result.accepted.length} accepted`,
      `${failuresOf(result)} failed (${failures.join(', ') || 'none'})`,
      `${persisted.rows} rows, ${persisted.rollup} in the rollup, ${persisted.lost.length} lost`,
      `p50 ${result.p50} ms, p99 ${result.p99} ms, longest gap ${result.longestGapMs} ms`,
    ].join('; '),
  );
  if (result.refusals.length > 0) await sayWhy(stack, result);
  return { ...result, ...persisted };
}

/** Shows the log lines of each refusal, the longest pause of each gateway and the last lines of Redis. */
async function sayWhy({ project }: ContainerStack, { refusals }: LoadResult): Promise<void> {
  const gateways = await containersOf(project, 'gateway');
  const logged = (await Promise.all(gateways.map((one) => docker('logs', one)))).join('').split('\n');
  for (const { what, requestId } of refusals.slice(0, SHOWN_MAX)) {
    say(`  ${what}`);
    for (const line of logged) if (requestId && line.includes(requestId)) say(`    ${line}`);
  }
  for (const one of gateways) say(`  ${(await docker('exec', one, 'node', '-e', PAUSE)).trim()}`);
  for (const one of await containersOf(project, 'redis')) say(await docker('logs', '--tail', '10', one));
}

process.exitCode = (await main()) ? 0 : 1;
