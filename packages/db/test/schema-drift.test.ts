import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { findPrismaDirectory } from '../src/prisma-directory.js';
import { createDriftAdapter } from './support/drift-adapter.js';
import { createSchemaEngine } from './support/schema-engine.js';

t.test('schema.prisma and the migrations describe the same tables', async (t) => {
  const database = await createDatabase();
  t.teardown(() => database.drop());
  const path = join(findPrismaDirectory(), 'schema.prisma');
  const content = await readFile(path, 'utf8');
  const engine = await createSchemaEngine(createDriftAdapter(database.url), path);
  const { stdout } = await engine.diff({
    from: { tag: 'schemaDatasource', files: [{ path, content }], configDir: findPrismaDirectory() },
    to: { tag: 'schemaDatamodel', files: [{ path, content }] },
    script: false,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  t.match(stdout, /^No difference detected\.\s*$/);
});
