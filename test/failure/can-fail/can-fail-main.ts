import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readJson, writeJson } from '@verdict/local-stack/json-file.js';
import { inData, inRoot } from '@verdict/local-stack/paths.js';
import { PROGRAMS } from '@verdict/local-stack/program.js';
import { filesLike, isBesideCode } from '@verdict/local-stack/test-lanes.js';
import { SHARED_FILE, startTestServer } from '@verdict/local-stack/test-server.js';
import { programName } from '../../../scripts/lib/program-name.mjs';
import { BETWEEN, BROKEN, CALLED, IN_A_PROGRAM, WAYS } from './breakable.js';
import { breakableExports } from './breakable-exports.js';
import { type Named, runNamedTests } from './run-named-tests.js';

/**
 * `npm run test:can-fail -- packages/domain`: breaks what the source files export that a test file reaches, itself or in
 * programs that it starts, one export at a time, until each of its named tests was red once, and lists those that never
 * were.
 */
const FOLDER = 'breakable';
const TIMEOUT_MS = 360_000;
/**
 * A break that makes a test wait for ever is red after so many times what the tests take. With less, a moment in which the
 * machine is busy would pass for a red test.
 */
const TIMES = 4;
const TIMEOUT_MS_MIN = 10_000;
/** A test that so many breaks in a row leave green is listed: a patch has to show that it can fail. */
const IN_VAIN_MAX = 30;
const CALLED_FOLDER = inData('test/called');

const say = (line: string) => void process.stdout.write(`${line}\n`);
const files = filesLike(process.argv.slice(2)).filter(isBesideCode);
const { plugin, reachedBy } = breakableExports();
// Loaded from where they are: rolldown is native code.
const lib = (name: string) => import(pathToFileURL(inRoot('scripts/lib', name)).href);
const [{ bundle }, { SERVICES }] = await Promise.all(['bundle.mjs', 'build.mjs'].map(lib));
const programs = Object.fromEntries(files.map((file) => [programName(file), file]));
await bundle(FOLDER, { ...programs, ...SERVICES }, { plugins: [plugin] });
const postgres = await startTestServer('test-postgres');
process.env[PROGRAMS] = FOLDER;
writeJson(SHARED_FILE, { pid: process.pid, server: postgres.url });

let tests = 0;
let never = 0;
try {
  for (const file of files) await judge(file);
} finally {
  rmSync(SHARED_FILE, { force: true });
  postgres.stopNow();
  rmSync(inRoot('dist', FOLDER), { recursive: true, force: true });
}
say(`${tests} named tests, ${never} never red`);
process.exit(never > 0 ? 1 : 0);

async function judge(file: string): Promise<void> {
  const startedAt = performance.now();
  rmSync(CALLED_FOLDER, { recursive: true, force: true });
  mkdirSync(CALLED_FOLDER);
  const whole = await outcome(file, { [CALLED]: CALLED_FOLDER }, TIMEOUT_MS);
  let timeoutMs = patienceSince(startedAt);
  if (whole.red.size + whole.fallen.size > 0 || whole.green.size === 0) {
    never += 1;
    return say(`${file}: not green without a break`);
  }
  const called = readCalled();
  const isOwn = (name: string) => name.startsWith(`${unitOf(file)}/`);
  const weigh = (name: string) => weightOf(called.get(name) ?? new Set(), isOwn(name));
  const near = [...new Set([file, ...Object.values(SERVICES as Record<string, string>)].flatMap(reachedBy))]
    .filter((name) => called.has(name))
    .sort((a, b) => weigh(a) - weigh(b));
  const left = new Set(whole.green);
  const fallen = new Set<string>();
  let breaks = 0;
  let inVain = 0;
  let asked = left.size;
  let grep: Readonly<Record<string, string>> = {};
  const attempts = [WAYS.slice(0, 2), WAYS.slice(2)].flatMap((ways) =>
    near.flatMap((name) => ways.map((way) => [name, way] as const)),
  );
  for (const [name, way] of attempts) {
    if (left.size === 0 || inVain === IN_VAIN_MAX) break;
    if (![...(called.get(name) ?? [])].some((test) => left.has(test) || !whole.green.has(test))) continue;
    if (way === 'throws' && [...left].every((one) => fallen.has(one))) continue;
    breaks += 1;
    const before = left.size - fallen.size;
    const broken = await outcome(file, { ...grep, [BROKEN]: `${name} ${way}` }, timeoutMs);
    for (const one of broken.red) left.delete(one);
    for (const one of broken.fallen) fallen.add(one);
    inVain = left.size - fallen.size === before ? inVain + 1 : 0;
    if (left.size > 0 && 2 * left.size <= asked) await askFewer();
  }
  /** From now on only the tests that are left, if they are green without the others. */
  async function askFewer(): Promise<void> {
    const beganAt = performance.now();
    const fewer = { TAP_GREP: grepOf([...left].map((name) => whole.within.get(name) ?? name)) };
    asked = left.size;
    const { green } = await outcome(file, fewer, timeoutMs);
    if (![...left].every((name) => green.has(name))) return;
    grep = fewer;
    timeoutMs = patienceSince(beganAt);
  }
  tests += whole.green.size;
  say(`${file}: ${whole.green.size} tests, ${breaks} breaks of ${near.length} exports`);
  for (const name of left) {
    if (!fallen.has(name)) never += 1;
    say(`  ${fallen.has(name) ? 'only by an error' : 'never red'}: ${name}`);
  }
}

/** The exports that all processes of a run called; none for a file that tests SQL, for example. */
function readCalled(): Map<string, Set<string>> {
  const called = new Map<string, Set<string>>();
  for (const file of readdirSync(CALLED_FOLDER)) {
    const calls = readJson<[string, string[]][]>(join(CALLED_FOLDER, file)) ?? [];
    for (const [name, tests] of calls) called.set(name, new Set([...(called.get(name) ?? []), ...tests]));
  }
  return called;
}

/** What few tests call is broken first, because a break of the common start ends all of them the same way. */
function weightOf(tests: ReadonlySet<string>, isOwn: boolean): number {
  if (tests.has(BETWEEN)) return isOwn ? 1_000 : 2_000;
  if (tests.has(IN_A_PROGRAM)) return isOwn ? 10 : 2_000;
  return tests.size;
}

function patienceSince(startedAt: number): number {
  return Math.min(TIMEOUT_MS, TIMEOUT_MS_MIN + TIMES * Math.ceil(performance.now() - startedAt));
}

/** The expression by which tap runs these tests alone. */
function grepOf(names: readonly string[]): string {
  return `/^(?:${names.map((name) => name.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')).join('|')})$/`;
}

/** `packages/db` of a file in it. */
function unitOf(file: string): string {
  return file.split('/', 2).join('/');
}

async function outcome(
  file: string,
  given: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<Named> {
  const environment = { ...given, TAP_TIMEOUT: String(timeoutMs / 2_000) };
  Object.assign(process.env, environment);
  try {
    return await runNamedTests(inRoot('dist', FOLDER, `${programName(file)}.js`), timeoutMs);
  } finally {
    for (const name of Object.keys(environment)) delete process.env[name];
  }
}
