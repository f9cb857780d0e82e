import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { banner, headline } from './banner.mjs';
import { bringUp } from './bring-up.mjs';
import { isDnsAnswering } from './dns-canary.mjs';
import { describeFailure, Failure } from './failure.mjs';
import { Interrupted, interrupted, listenForInterrupt } from './interrupt.mjs';
import { stopLeftovers } from './leftovers.mjs';
import { acquireLock } from './lock.mjs';
import { parseOptions, USAGE } from './options.mjs';
import { dataDir, makeDataDirectory } from './paths.mjs';
import { choosePorts, isPortFree } from './ports.mjs';
import { removePostgresData } from './postgres-home.mjs';
import { createProgress } from './progress.mjs';
import { createRunFile } from './run-file.mjs';
import { loadSecrets } from './secrets.mjs';
import { PRIVATE_PORTS } from './services.mjs';
import { createStack } from './stack.mjs';

const LOCK_NAME = 'start.lock';

/** Brings everything up, stays in the foreground, and takes everything down again. @param {string[]} argv */
export async function startCommand(argv) {
  const progress = createProgress();
  let held = null;
  try {
    const options = parseOptions(argv);
    if (options.help) return progress.say(USAGE);
    makeDataDirectory();
    held = holdCheckout();
    await runUntilInterrupted(options, progress);
  } catch (error) {
    process.exitCode = 1;
    console.error(`\n${describeFailure(error)}`);
  } finally {
    held?.release();
  }
}

function holdCheckout() {
  const lock = acquireLock(path.join(dataDir, LOCK_NAME));
  if ('heldBy' in lock) {
    throw new Failure(`Verdict is already running from this checkout (pid ${lock.heldBy}); stop it first.`);
  }
  return lock;
}

async function runUntilInterrupted({ port, fresh }, progress) {
  const runFile = createRunFile(path.join(dataDir, 'run.json'));
  await clearTheGround({ port, fresh, runFile, progress });
  const stack = createStack();
  listenForInterrupt({
    onForce() {
      void stack.kill().finally(() => process.exit(130));
    },
  });
  progress.say(headline());
  const dnsAnswering = isDnsAnswering();
  try {
    const ports = await choosePorts(PRIVATE_PORTS);
    const facts = await bringUp({
      stack,
      progress,
      runFile,
      ports,
      secrets: loadSecrets(),
      publicPort: port,
    });
    const { email, password, api_key: apiKey } = facts;
    stack.keepAlive(facts, (text) => progress.say(`  ${new Date().toISOString()}  ${text}`));
    progress.say(banner({ publicPort: port, email, password, apiKey, dnsAnswering: await dnsAnswering }));
    await new Promise((resolve) => {
      if (interrupted.aborted) resolve();
      interrupted.addEventListener('abort', resolve);
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  } finally {
    if (interrupted.aborted) progress.say('');
    if (!stack.isEmpty()) await progress.step('stopping', (note) => stopStack(stack, note));
    runFile.remove();
  }
}

async function stopStack(stack, note) {
  await stack.stop(note);
  note('everything is stopped');
}

/** Leftovers of a killed run go first: they may be what holds the public port. */
async function clearTheGround({ port, fresh, runFile, progress }) {
  const stopped = await stopLeftovers(runFile.previous());
  runFile.remove();
  if (stopped.length > 0)
    progress.say(`  Stopped what an earlier start left running: ${stopped.join(', ')}.`);
  for (const host of ['127.0.0.1', '::1']) {
    if (!(await isPortFree(port, host))) {
      throw new Failure(`Port ${port} is taken by another program: choose one with npm start -- --port N.`);
    }
  }
  if (!fresh) return;
  removePostgresData('postgres');
  for (const name of readdirSync(dataDir)) {
    if (name !== LOCK_NAME) rmSync(path.join(dataDir, name), { recursive: true, force: true });
  }
}
