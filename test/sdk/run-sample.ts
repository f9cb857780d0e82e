import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { Test } from 'tap';
import { findProgram } from '../../scripts/lib/system-programs.mjs';
import { findPhp, hasPython, PHP_CLIENT, PYTHON_CLIENT } from './run-clients.js';

const run = promisify(execFile);

/** The program that runs a sample of a language, by the name of its tab; null where it is not on this machine. */
const PROGRAMS = {
  curl: async () => ((await findProgram(['curl'], 'curl').catch(() => null)) ? 'bash' : null),
  Node: async () => process.execPath,
  Python: async () => (hasPython() ? 'python3' : null),
  PHP: findPhp,
};
export type SampleLanguage = keyof typeof PROGRAMS;
export const SAMPLE_LANGUAGES = Object.keys(PROGRAMS) as SampleLanguage[];

const ARGUMENTS: Record<SampleLanguage, (code: string) => readonly string[]> = {
  curl: (code) => ['-c', code],
  Node: () => ['sample.mjs'],
  Python: (code) => ['-c', code],
  PHP: (code) => ['-r', code],
};

/** Runs a sample in a folder where its client is installed, and returns what it prints; null where that cannot be done here. */
export async function runSample(t: Test, language: SampleLanguage, code: string): Promise<string | null> {
  const program = await PROGRAMS[language]();
  if (!program) {
    t.comment(`SKIPPED: ${language} is not on this machine`);
    return null;
  }
  const cwd = t.testdir({
    'sample.mjs': code,
    node_modules: { '@verdict': {} },
    vendor: { 'autoload.php': `<?php require '${PHP_CLIENT}/autoload.php';` },
  });
  symlinkSync(inRoot('packages/sdk'), join(cwd, 'node_modules/@verdict/sdk'));
  const env = { ...process.env, PYTHONPATH: PYTHON_CLIENT, PYTHONDONTWRITEBYTECODE: '1' };
  // A client waits a second, which a busy machine may need: its fallback says nothing, and the reader runs the sample again.
  return eventually(async () => {
    const { stdout } = await run(program, ARGUMENTS[language](code), { cwd, env });
    return !stdout.startsWith('challenge') && stdout;
  });
}
