import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import t, { type Base, type Spawn } from 'tap';
import { NODE_ARGUMENTS } from './node-arguments.js';
import { isUnit, sourceOf } from './test-files.js';

// `node run-test-files.js SIDES FILE...`: tap runs compiled test files, so many side by side, and a line per file is printed
// with every failure in full. `tap run` would do the same, but loads each file through a compiler, a mocker and a coverage recorder.
// We use none of the three, and with them a file that imports a service takes twice the CPU time: 10.7 s, not 5.5 s.

/** What one file came to. */
export interface FileCount {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const TIMEOUT_SECONDS = Number(process.env.TAP_TIMEOUT ?? 900);
const LEFTOVERS_STOP_WITHIN_MS = 20_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const groups = new Set<number>();
const cleaning: Promise<void>[] = [];
let isStopping = false;
const counts: FileCount[] = [];

t.pipe(new Writable({ write: (_chunk, _encoding, done) => done() })); // what tap prints itself is for machines
t.setTimeout(0); // each file has its own
const [sides, ...files] = process.argv.slice(2);
t.jobs = Number(sides);
// Each file leads a group of processes, so that whatever it leaves behind can be ended, and nothing else.
t.on('spawn', (file) => {
  file.on('preprocess', (options) => Object.assign(options, { detached: true }));
  file.on('process', ({ pid }) => {
    if (pid === undefined) return;
    groups.add(pid);
    if (isStopping) signalGroup(pid, 'SIGKILL'); // the next one, which tap starts when another has ended
  });
});
t.on('subtestEnd', (file) => {
  report(file);
  cleaning.push(endGroup((file as Spawn).proc?.pid));
});
process.once('SIGTERM', () => {
  isStopping = true;
  void Promise.all([...groups].map(endGroup)).then(() => process.exit(1));
});
for (const file of files) {
  // tap adds its recorder to the NODE_OPTIONS of what it spawns, and whatever a file starts would inherit it; `env` takes
  // it out and then becomes node.
  void t.spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...NODE_ARGUMENTS, file], {
    name: file,
    at: null, // a failure is in the file, not here
    stack: '',
    buffered: true,
    timeout: TIMEOUT_SECONDS * 1000,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environmentOf(file),
  });
}
t.on('complete', () => {
  void Promise.all(cleaning).then(() => process.send?.(counts, () => process.disconnect?.()));
});
t.end();

/** Only what tests below the full stack run is recorded. */
function environmentOf(file: string): Record<string, string> {
  const { NODE_V8_COVERAGE, ...environment } = process.env as Record<string, string>;
  return {
    ...environment,
    ...(NODE_V8_COVERAGE && isUnit(file) ? { NODE_V8_COVERAGE } : {}),
    TAP_TIMEOUT: String(TIMEOUT_SECONDS),
  };
}

function report({ name, counts: { pass, fail, skip, todo }, lists, results, time, options }: Base): void {
  // A file that crashed or left with an error code after its tests had passed has failed all the same.
  const unsaid = !results?.ok && fail === 0 ? 1 : 0;
  counts.push({ file: name, passed: pass, failed: fail + unsaid, skipped: skip + todo });
  say(`${results?.ok ? '✔' : '✖'} ${sourceOf(name)}  ${((time ?? 0) / 1000).toFixed(1)} s`);
  const { exitCode, signal } = options as { exitCode?: number; signal?: string };
  if (unsaid) say(`    ✖ it did not run to its end (${signal ?? `exit code ${exitCode}`})`);
  for (const { fullname, diag } of lists.fail) {
    const parts = [fullname.replace(`${name} > `, '')];
    if (diag?.at?.fileName) parts.push(`at ${diag.at.fileName}:${diag.at.lineNumber}`);
    for (const field of ['message', 'diff', 'stack', 'exitCode', 'signal'])
      if (diag?.[field] ?? false) parts.push(`${field}: ${String(diag[field]).trimEnd()}`);
    say(`    ✖ ${parts.join('\n').replaceAll('\n', '\n      ')}`);
  }
}

/** Asks first: an `npm start` among them has servers of its own to stop. */
async function endGroup(group: number | undefined): Promise<void> {
  if (group === undefined) return;
  const deadline = Date.now() + LEFTOVERS_STOP_WITHIN_MS;
  if (signalGroup(group, 'SIGTERM')) say('    ended what it had left running');
  while (signalGroup(group, Date.now() < deadline ? 0 : 'SIGKILL')) await delay(50);
  groups.delete(group);
}

function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
