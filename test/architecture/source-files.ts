import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';

/** The checkout, seen from the compiled test. */
export const ROOT = inRoot();

export interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Loaded where it occurs, not with the file. */
  readonly dynamic: boolean;
}

export interface SourceFile {
  /** From the checkout, with forward slashes. */
  readonly path: string;
  /** packages/domain, services/gateway, … */
  readonly unit: string;
  readonly text: string;
  /** Specifiers of static and dynamic imports; `import type` is left out where only values matter. */
  readonly imports: readonly Import[];
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/g;

/** All TypeScript of the packages' and services' `src`, without what is generated. */
export function readSources(): SourceFile[] {
  return ['packages', 'services'].flatMap((floor) =>
    readdirSync(join(ROOT, floor)).flatMap((name) =>
      filesBelow(join(ROOT, floor, name, 'src')).map((file) => readSource(file, `${floor}/${name}`)),
    ),
  );
}

function readSource(file: string, unit: string): SourceFile {
  const text = readFileSync(file, 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => ({
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
    dynamic: match[3] !== undefined,
  }));
  return { path: relative(ROOT, file).replaceAll('\\', '/'), unit, text, imports };
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'generated') return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}
