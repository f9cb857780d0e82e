import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { packClients } from './pack-clients.mjs';
import { inRoot } from './paths.mjs';

const SOURCE = inRoot('packages/sdk/src');
const DIST = inRoot('packages/sdk/dist');

/** The client as it is published: ESM and CommonJS, with types for each, and the command. No compiler is needed, so that `npm start` can serve it. */
export async function buildSdk() {
  const library = { verdict: path.join(SOURCE, 'verdict.ts') };
  const command = { 'verdict-check': path.join(SOURCE, 'cli/verdict-check.ts') };
  await emit('esm', { ...library, ...command });
  await emit('cjs', library);
  writeFileSync(path.join(DIST, 'cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** @param {'esm' | 'cjs'} format @param {Record<string, string>} input */
async function emit(format, input) {
  const dir = path.join(DIST, format);
  const graph = await rolldown({
    input,
    platform: 'node',
    resolve: { extensionAlias: { '.js': ['.ts'] } },
  });
  const { output } = await graph.write({ dir, format, chunkFileNames: '[name].js', keepNames: true });
  await graph.close();
  const written = new Set([...output.map(({ fileName }) => fileName), 'package.json']);
  for (const name of readdirSync(SOURCE).filter((each) => each.endsWith('.ts'))) {
    const { code, errors } = isolatedDeclarationSync(name, readFileSync(path.join(SOURCE, name), 'utf8'));
    if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
    const declaration = name.replace(/\.ts$/, '.d.ts');
    writeFileSync(path.join(dir, declaration), code);
    written.add(declaration);
  }
  // Others may be reading what stays, so only what an earlier build left is removed.
  for (const name of readdirSync(dir)) if (!written.has(name)) rmSync(path.join(dir, name));
}

/** Lays the clients of this release and of earlier ones where the dashboard's files are, so that the server hands them out. @param {string} directory */
export async function packSdk(directory) {
  await buildSdk();
  const { version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  rmSync(directory, { recursive: true, force: true });
  packClients({ directory, released: inRoot('clients/released'), version });
}
