import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';

const SOURCE = /^(?:packages\/(?!local-stack\/)|services\/)[^/]+\/(?:src|vite)\/(?!generated\/).+\.ts$/;
const OURS = /^(?:\.|\/|@verdict\/)/;
const EXPORT = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const PREFIX = '\0breakable:';
const RUNTIME = inRoot('test/failure/can-fail/breakable.ts');

/** The part of a bundler's plugin that this one calls. */
interface Resolver {
  resolve(source: string, importer: string, options: { skipSelf: true }): Promise<Found | null>;
}
interface Found {
  readonly id: string;
  readonly external?: unknown;
}

/** A bundler's plugin that lets the environment break each export of our sources, and that notes who imports whom. */
export function breakableExports() {
  const imports = new Map<string, Set<string>>();
  return {
    plugin: {
      name: 'breakable-exports',
      async resolveId(this: Resolver, source: string, importer: string | undefined) {
        if (!importer || importer === RUNTIME || importer.startsWith(PREFIX)) return null;
        if (!OURS.test(source)) return null; // a package has its own rules for `import` and `require`
        const found = await this.resolve(source, importer, { skipSelf: true });
        if (!found || found.external) return found;
        const [from, to] = [importer, found.id].map((id) => relative(inRoot(), id)) as [string, string];
        imports.set(from, (imports.get(from) ?? new Set()).add(to));
        return SOURCE.test(to) ? { id: `${PREFIX}${found.id}` } : found;
      },
      load(id: string) {
        if (!id.startsWith(PREFIX)) return null;
        const file = id.slice(PREFIX.length);
        const name = relative(inRoot(), file);
        const lines = exportsOf(name).map(
          (one) => `export const ${one} = breakable(${JSON.stringify(`${name}#${one}`)}, $source.${one});`,
        );
        return [
          `import * as $source from ${JSON.stringify(file)};`,
          `import { breakable } from ${JSON.stringify(RUNTIME)};`,
          `export * from ${JSON.stringify(file)};`,
          ...lines,
        ].join('\n');
      },
    },
    /** Every export that the file reaches, the nearest first. */
    reachedBy: (file: string): string[] => {
      const reached = new Set([file]);
      for (const one of reached) for (const next of imports.get(one) ?? []) reached.add(next);
      return [...reached]
        .filter((one) => SOURCE.test(one))
        .flatMap((one) => exportsOf(one).map((name) => `${one}#${name}`));
    },
  };
}

const exportsOf = (file: string): string[] =>
  [...readFileSync(inRoot(file), 'utf8').matchAll(EXPORT)].map(([, name]) => name ?? '');
