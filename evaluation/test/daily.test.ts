import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reading } from '@verdict/datasets/sources/source.js';
import { skipFile } from '@verdict/local-stack/skip-file.js';
import t from 'tap';
import { findHistories } from '../src/daily/find-histories.js';
import { guardSource } from '../src/daily/guard-source.js';
import { halfYears } from '../src/daily/half-years.js';
import { readChanges } from '../src/daily/read-changes.js';
import { replayList } from '../src/daily/replay-list.js';

const listedSource = (read: Reading) =>
  ({
    name: 'a-list',
    feeds: 'disposable_domains',
    kind: 'url',
    licence: 'MIT',
    tier: 'curated',
    read,
  }) as const;

/** A repository with one list in it, one commit for each text. */
function makeHistory(folder: string, commits: readonly { at: string; text: string }[], read: Reading) {
  const git = (args: readonly string[], at = '') =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
      env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at, GIT_CONFIG_GLOBAL: '/dev/null' },
    });
  git(['init', '--quiet']);
  for (const { at, text } of commits) {
    writeFileSync(join(folder, 'list'), text);
    git(['add', 'list']);
    git(['commit', '--quiet', '--message', 'a list'], at);
  }
  return { source: listedSource(read), gitDir: join(folder, '.git'), path: 'list' };
}

if (spawnSync('git', ['--version']).status !== 0) skipFile('no git here, which replays histories');

const believing = () => false;
const endOf = (day: number) => Date.UTC(2026, 0, day + 1);
const days = [
  { at: '2026-01-01T12:00:00Z', list: ['old.com', 'gone.com'] },
  { at: '2026-01-02T12:00:00Z', list: ['old.com'] },
  // Still the second of January in UTC; the next two are one day, and what lasted an hour was never seen.
  { at: '2026-01-03T01:00:00+02:00', list: ['old.com', 'late.com'] },
  { at: '2026-01-05T08:00:00Z', list: ['old.com', 'late.com', 'brief.com', 'gone.com'] },
  { at: '2026-01-05T09:00:00Z', list: ['old.com', 'late.com', 'new.com', 'gone.com'] },
  // A clock that was behind: nothing is published before what it follows.
  { at: '2026-01-04T09:00:00Z', list: ['old.com', 'late.com', 'new.com', 'gone.com', 'behind.com'] },
];
const forms = {
  lines: { read: { format: 'lines' }, write: (list: readonly string[]) => `${list.join('\n')}\n` },
  json: { read: { format: 'json' }, write: (list: readonly string[]) => JSON.stringify(list) },
} as const;

for (const [form, { read, write }] of Object.entries(forms)) {
  t.test(`a list as ${form} is replayed day by day; what comes back is not new`, async (t) => {
    const commits = days.map(({ at, list }) => ({ at, text: write(list) }));
    const history = makeHistory(t.testdir({}), commits, read);
    const list = replayList(history.source, readChanges(history), believing);
    const seen: Record<string, string[]> = {};
    for (let day = 1; day <= 6; day++) {
      seen[`2026-01-0${day}`] = list.newUntil(endOf(day));
      list.advanceTo(endOf(day));
    }
    t.strictSame(seen, {
      '2026-01-01': ['old.com', 'gone.com'],
      '2026-01-02': ['late.com'],
      '2026-01-03': [],
      '2026-01-04': [],
      '2026-01-05': ['new.com', 'behind.com'],
      '2026-01-06': [],
    });
    t.strictSame([...list.names].sort(), ['behind.com', 'gone.com', 'late.com', 'new.com', 'old.com']);
    t.equal(list.firstSeen.get('old.com'), undefined, 'when it began with a name is not known');
    t.equal(list.firstSeen.get('late.com'), Date.parse('2026-01-02T23:00:00Z'));

    const later = replayList(history.source, readChanges(history, endOf(3)), believing);
    later.advanceTo(endOf(3));
    t.strictSame([...later.names].sort(), ['late.com', 'old.com'], 'a replay may begin in the middle');
  });
}

t.test(
  'what the guard of the updater refuses leaves the list as it was, until it is good again',
  async (t) => {
    const source = listedSource({ format: 'lines' });
    const change = (day: number, added: string[], removed: string[] = []) => ({
      at: endOf(day) - 1,
      added,
      removed,
      fresh: new Set<string>(),
    });
    const many = Array.from({ length: 200 }, (_, index) => `trash-${index}.com`);
    const list = replayList(
      source,
      [
        change(1, many),
        change(2, ['gmail.com', 'other.com']),
        change(3, ['more.com'], ['gmail.com']),
        change(4, [], many.slice(50)),
        change(5, ['last.com']),
        change(12, ['later.com']),
      ],
      guardSource(source, new Set()),
    );
    const sizes = [1, 2, 3, 4, 5, 12].map((day) => {
      list.advanceTo(endOf(day));
      return list.names.size;
    });
    t.strictSame(sizes, [200, 200, 202, 202, 202, 54], 'poison is waited out, a swing until somebody looked');
    t.equal(list.refused(), 3);
  },
);

t.test('sources are found by the repository that their address names', async (t) => {
  const folder = t.testdir({ owner: { 'lists.git': {} } });
  const source = (name: string, from: string) => ({
    name,
    from,
    feeds: 'disposable_domains' as const,
    kind: 'url' as const,
    licence: 'MIT',
    read: { format: 'lines' as const },
  });
  const { histories, missing } = findHistories(
    [
      source('here', 'https://raw.githubusercontent.com/owner/lists/main/some/list.txt'),
      source('not-cloned', 'https://raw.githubusercontent.com/owner/others/main/list.txt'),
      source('elsewhere', 'https://lists.example/list.txt'),
    ],
    folder,
  );
  t.match(histories, [{ path: 'some/list.txt', gitDir: join(folder, 'owner', 'lists.git') }]);
  t.strictSame(missing, ['not-cloned', 'elsewhere']);
});

t.test('half-years follow each other, and the last ends with the data', async (t) => {
  t.strictSame(
    halfYears(Date.UTC(2025, 0), Date.UTC(2026, 1, 3)).map(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString().slice(0, 10)).join(' '),
    ),
    ['2025-01-01 2025-07-01', '2025-07-01 2026-01-01', '2026-01-01 2026-02-03'],
  );
});
