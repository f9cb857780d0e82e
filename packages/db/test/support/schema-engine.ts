import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { inRoot } from '@verdict/local-stack/paths.js';

export type SchemaEngine = bindings.SchemaEngine;

/** The compiler's libraries describe WebAssembly only together with a browser's whole DOM. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ exports: Record<string, () => void> }>;
};

/** Prisma's own migration engine as WebAssembly, from npm: the native one is a download that an offline machine cannot make. */
export async function createSchemaEngine(
  adapter: SqlMigrationAwareDriverAdapterFactory,
  schemaPath: string,
): Promise<SchemaEngine> {
  await instantiate();
  const datamodels: [string, string][] = [[schemaPath, await readFile(schemaPath, 'utf8')]];
  return bindings.SchemaEngine.new({ datamodels }, () => {}, bindMigrationAwareSqlAdapterFactory(adapter));
}

async function instantiate(): Promise<void> {
  const entry = createRequire(inRoot('packages/db/package.json')).resolve('@prisma/schema-engine-wasm');
  const module = await WebAssembly.compile(await readFile(join(dirname(entry), 'schema_engine_bg.wasm')));
  const { exports } = await WebAssembly.instantiate(module, {
    './schema_engine_bg.js': bindings,
  });
  // Without a registry a panic of the engine would hide its own text.
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`the migration engine failed: ${message}`);
      },
    },
  });
  (bindings as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exports);
  exports.__wbindgen_start?.();
}
