import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { createDriftAdapter } from './support/drift-adapter.js';
import { createSchemaEngine } from './support/schema-engine.js';

t.test('schema.prisma and the migrations describe the same tables', async (t) => {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const path = inRoot('prisma/schema.prisma');
  const content = await readFile(path, 'utf8');
  const engine = await createSchemaEngine(createDriftAdapter(database.url), path);
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files: [{ path, content }], configDir: inRoot('prisma') },
    to: { tag: 'schemaDatamodel', files: [{ path, content }] },
    script: false,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  t.match(stdout, /^No difference detected\.\s*$/);
});

t.test('the committed client is the one that schema.prisma generates', async (t) => {
  const scratch = await mkdtemp(join(tmpdir(), 'verdict-client-'));
  t.teardown(() => rm(scratch, { recursive: true }));
  await cp(inRoot('prisma/schema.prisma'), join(scratch, 'prisma/schema.prisma'));
  await promisify(execFile)(
    inRoot('prisma/node_modules/.bin/prisma'),
    ['generate', '--schema', join(scratch, 'prisma/schema.prisma')],
    // `generate` only looks whether this engine is there; without it Prisma would download one.
    { cwd: inRoot('prisma'), env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' } },
  );
  const client = 'packages/db/src/generated';
  const [generated, committed] = await Promise.all([join(scratch, client), inRoot(client)].map(contentOf));
  t.strictSame([...(committed?.keys() ?? [])], [...(generated?.keys() ?? [])], 'the same files');
  const changed = [...(generated ?? [])].filter(([name, text]) => committed?.get(name) !== text);
  t.strictSame(
    changed.map(([name]) => name),
    [],
    'run npm run generate and commit the result',
  );
});

async function contentOf(directory: string): Promise<Map<string, string>> {
  const names = (await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(directory, name), 'utf8')] as const),
    ),
  );
}
