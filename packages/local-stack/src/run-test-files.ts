import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Base, type Spawn } from 'tap';
import { NODE_ARGUMENTS } from './node-arguments.js';
import { isBesideCode, sourceOf } from './test-files.js';

// `node run-test-files.js SIDES ROOM...`: tap runs compiled test files, so many rooms of them side by side, and a line per
// file is printed with every failure in full. A room is files joined by commas, which share a process. `tap run` would
// load each file through a compiler, a mocker and a coverage recorder. We use none of the three, and with them a file that
// imports a service takes twice the CPU time: 10.7 s, not 5.5 s.

/** What one file came to. */
export interface FileCount {
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const TIMEOUT_SECONDS = Number(process.env.TAP_TIMEOUT ?? 900);
const LEFTOVERS_STOP_WITHIN_MS = 20_000;

interface FileEnd {
  readonly ok: boolean;
  readonly time: number | null;
}
type Result = Base['lists']['fail'][number];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const groups = new Set<number>();
const cleaning: Promise<void>[] = [];
let isStopping = false;
const counts: FileCount[] = [];
/** How each file that was begun ended; without a plan it is not ok. */
const ends = new Map<string, FileEnd>();
const TOGETHER = fileURLToPath(new URL('./run-together.js', import.meta.url));

t.pipe(new Writable({ write: (_chunk, _encoding, done) => done() })); // what tap prints itself is for machines
t.setTimeout(0); // each file has its own
const [sides, ...rooms] = process.argv.slice(2);
t.jobs = Number(sides);
// Each room leads a group of processes, so that whatever it leaves behind can be ended, and nothing else.
t.on('spawn', (room) => {
  room.on('preprocess', (options) => Object.assign(options, { detached: true }));
  room.parser.on('child', (file) => {
    reportBefore(room, file.name);
    file.on('complete', (end: FileEnd) => ends.set(file.name, end));
  });
  room.on('process', ({ pid }) => {
    if (pid === undefined) return;
    groups.add(pid);
    if (isStopping) signalGroup(pid, 'SIGKILL'); // the next one, which tap starts when another has ended
  });
});
t.on('subtestEnd', (room) => {
  reportBefore(room);
  cleaning.push(endGroup((room as Spawn).proc?.pid));
});
process.once('SIGTERM', () => {
  isStopping = true;
  void Promise.all([...groups].map(endGroup)).then(() => process.exit(1));
});
for (const room of rooms) {
  const files = room.split(',');
  // tap adds its recorder to the NODE_OPTIONS of what it spawns, and whatever a file starts would inherit it; `env` takes
  // it out and then becomes node.
  void t.spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, ...NODE_ARGUMENTS, TOGETHER], {
    name: room,
    at: null, // a failure is in the file, not here
    stack: '',
    buffered: true,
    passes: true, // kept, to be counted by file
    timeout: TIMEOUT_SECONDS * 1000 * files.length,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environmentOf(files),
  });
}
t.on('complete', () => {
  void Promise.all(cleaning).then(() => process.send?.(counts, () => process.disconnect?.()));
});
t.end();

/** Only what the tests beside the code run is recorded; where the variable is missing, node hands on our own. */
function environmentOf(files: readonly string[]): Record<string, string> {
  const { NODE_V8_COVERAGE = '', ...environment } = process.env as Record<string, string>;
  return {
    ...environment,
    NODE_V8_COVERAGE: files.every(isBesideCode) ? NODE_V8_COVERAGE : '',
    TAP_TIMEOUT: String(TIMEOUT_SECONDS),
    TEST_FILES: files.join(),
  };
}

/** Each file of a room as soon as the next one begins, and at the end all that are left. */
function reportBefore(room: Base, next?: string): void {
  const files = room.name.split(',');
  const over = next === undefined ? files : files.slice(0, files.indexOf(next));
  for (const file of over) if (!counts.some((count) => count.file === file)) report(room, files, file);
}

function report(room: Base, files: readonly string[], file: string): void {
  const { lists, results } = room;
  const { exitCode, signal } = room.options as { exitCode?: number; signal?: string };
  const titleOf = ({ fullname }: Result) => fullname.replace(`${room.name} > `, '');
  // What names no file, such as an error after the last test, is the last one's.
  const fileOf = (result: Result) => files.find((one) => titleOf(result).startsWith(one)) ?? files.at(-1);
  const [pass, fail, skip, todo] = [lists.pass, lists.fail, lists.skip, lists.todo].map((list) =>
    list.filter((result) => fileOf(result) === file),
  ) as [Result[], Result[], Result[], Result[]];
  const end = ends.get(file);
  // One that was not reached, or not to its end, has failed, and the last one if the process left with an error code.
  const isLate = file === files.at(-1) && !results?.ok && lists.fail.length === 0;
  const unsaid = fail.length === 0 && (isLate || !end?.ok) ? 1 : 0;
  const failed = fail.length + unsaid;
  counts.push({ file, passed: pass.length, failed, skipped: skip.length + todo.length });
  say(`${failed === 0 ? '✔' : '✖'} ${sourceOf(file)}  ${((end?.time ?? 0) / 1000).toFixed(1)} s`);
  if (unsaid) say(`    ✖ it did not run to its end (${signal ?? `exit code ${exitCode}`})`);
  for (const result of fail) tell(titleOf(result).replace(`${file} > `, ''), result.diag);
}

function tell(title: string, diag: Result['diag']): void {
  const parts = [title];
  if (diag?.at?.fileName) parts.push(`at ${diag.at.fileName}:${diag.at.lineNumber}`);
  for (const field of ['message', 'diff', 'stack', 'exitCode', 'signal'])
    if (diag?.[field] ?? false) parts.push(`${field}: ${String(diag[field]).trimEnd()}`);
  say(`    ✖ ${parts.join('\n').replaceAll('\n', '\n      ')}`);
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
