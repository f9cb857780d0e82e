import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/**
 * Runs a bundled program. The first process of a kind that ends well leaves behind what V8 had compiled by then, and the
 * next ones begin with it: that is half of what it costs to load a service. One that refused its settings has seen too little.
 */
export function runBundle(file: string): void {
  const flags = process.execArgv.join('').replaceAll(/[^\w-]/g, '');
  const compiled = `${file}${flags}.compiled`; // V8 refuses what was compiled with other flags
  const cachedData = existsSync(compiled) ? readFileSync(compiled) : undefined;
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData ? { cachedData } : {}) });
  if (!cachedData) process.once('exit', (code) => code === 0 && keep(script, compiled));
  const require = createRequire(file);
  const module = new Module(file);
  require.cache[file] = module; // parts of it that are loaded later ask for it
  script.runInThisContext()(module.exports, require, module, file, dirname(file));
}

/** Others may be about to do the same. */
function keep(script: Script, file: string): void {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, script.createCachedData());
  renameSync(own, file);
}
