import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tarGz, zip } from './archives.mjs';
import { inRoot } from './paths.mjs';

const NODE = inRoot('packages/sdk');
const PYTHON = inRoot('clients/python');
const PHP = inRoot('clients/php');
const BETTER_AUTH = inRoot('clients/better-auth');
const RECIPES = inRoot('clients/recipes');
const sha256 = (content) => createHash('sha256').update(content);

/**
 * Writes the clients as immutable archives, named by version, beside those of earlier releases, the index pages of pip and the
 * recipes. An installed release stays at its address, so that a customer's lock file holds after this server was upgraded.
 * @param {{ directory: string, released: string, version: string }} options
 */
export function packClients({ directory, released, version }) {
  mkdirSync(path.join(directory, 'simple/verdict-client'), { recursive: true });
  for (const name of readdirSync(released).filter((each) => /\d\.(tgz|tar\.gz|zip)$|\.whl$/.test(each)))
    copyFileSync(path.join(released, name), path.join(directory, name));
  const archives = {
    [`verdict-sdk-${version}.tgz`]: npmArchive(NODE, ['dist', 'examples'], version),
    [`verdict-better-auth-${version}.tgz`]: npmArchive(BETTER_AUTH, ['index.js', 'index.d.ts'], version),
    [`verdict_client-${version}-py3-none-any.whl`]: wheel(version),
    [`verdict_client-${version}.tar.gz`]: sdist(version),
    [`verdict-php-${version}.zip`]: phpArchive(version),
  };
  for (const [name, content] of Object.entries(archives)) writeFileSync(path.join(directory, name), content);
  mkdirSync(path.join(directory, 'recipes'), { recursive: true });
  for (const name of readdirSync(RECIPES).filter((each) => !each.endsWith('.md')))
    copyFileSync(path.join(RECIPES, name), path.join(directory, 'recipes', name));
  writeIndex(directory);
}

/** The simple repository of PEP 503, with the hash of each file. @param {string} directory */
function writeIndex(directory) {
  const files = readdirSync(directory).filter((name) => name.startsWith('verdict_client-'));
  const links = files.map((name) => {
    const digest = sha256(readFileSync(path.join(directory, name))).digest('hex');
    return `<a href="../../${name}#sha256=${digest}" data-requires-python="&gt;=3.9">${name}</a>`;
  });
  const page = (body) => `<!DOCTYPE html>\n<html><body>\n${body}\n</body></html>\n`;
  writeFileSync(
    path.join(directory, 'simple/index.html'),
    page('<a href="verdict-client/">verdict-client</a>'),
  );
  writeFileSync(path.join(directory, 'simple/verdict-client/index.html'), page(links.join('\n')));
}

/** @param {string} root @param {string} file @returns {string[]} the file, or those below the folder, as paths from the root */
function filesBelow(root, file) {
  if (!statSync(path.join(root, file)).isDirectory()) return [file];
  return readdirSync(path.join(root, file))
    .sort()
    .flatMap((name) => filesBelow(root, path.posix.join(file, name)));
}

/** @param {string} root @param {readonly string[]} parts @param {string} version */
function npmArchive(root, parts, version) {
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const named = { ...manifest, version };
  if (named.peerDependencies) named.peerDependencies['@verdict/sdk'] = `^${version}`;
  const programs = new Set(Object.values(named.bin ?? {}).map((file) => path.posix.normalize(file)));
  const files = ['LICENSE', 'README.md', ...parts].flatMap((part) => filesBelow(root, part));
  return tarGz([
    { name: 'package/package.json', content: Buffer.from(`${JSON.stringify(named, null, 2)}\n`) },
    ...files.map((file) => ({
      name: `package/${file}`,
      content: readFileSync(path.join(root, file)),
      isProgram: programs.has(file),
    })),
  ]);
}

const pythonFiles = (version) =>
  readdirSync(path.join(PYTHON, 'verdict'))
    .filter((name) => name.endsWith('.py') || name === 'py.typed')
    .sort()
    .map((name) => ({
      name: `verdict/${name}`,
      content:
        name === 'version.py'
          ? Buffer.from(
              readFileSync(path.join(PYTHON, 'verdict', name), 'utf8').replace(/"[\d.]+"/, `"${version}"`),
            )
          : readFileSync(path.join(PYTHON, 'verdict', name)),
    }));

const pyproject = () => readFileSync(path.join(PYTHON, 'pyproject.toml'), 'utf8');
const field = (name) => new RegExp(`^${name} = "(.*)"$`, 'm').exec(pyproject())?.[1];

const metadata = (version) =>
  Buffer.from(`Metadata-Version: 2.1
Name: ${field('name')}
Version: ${version}
Summary: ${field('description')}
License: MIT
Requires-Python: ${field('requires-python')}
Description-Content-Type: text/markdown

${readFileSync(path.join(PYTHON, 'README.md'), 'utf8')}`);

/** pip installs it as it is, so that neither this machine nor a build step needs Python. @param {string} version */
function wheel(version) {
  const info = `verdict_client-${version}.dist-info`;
  const files = [
    ...pythonFiles(version),
    { name: `${info}/METADATA`, content: metadata(version) },
    {
      name: `${info}/WHEEL`,
      content: Buffer.from(
        'Wheel-Version: 1.0\nGenerator: verdict\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ),
    },
    { name: `${info}/LICENSE`, content: readFileSync(path.join(PYTHON, 'LICENSE')) },
  ];
  const lines = files.map(
    ({ name, content }) => `${name},sha256=${sha256(content).digest('base64url')},${content.length}\n`,
  );
  const record = Buffer.from(`${lines.join('')}${info}/RECORD,,\n`);
  return zip([...files, { name: `${info}/RECORD`, content: record }]);
}

/** @param {string} version */
function sdist(version) {
  const rest = ['README.md', 'LICENSE', 'build/backend.py'].map((name) => ({
    name,
    content: readFileSync(path.join(PYTHON, name)),
  }));
  const project = Buffer.from(pyproject().replace(/^version = .*$/m, `version = "${version}"`));
  const files = [
    ...pythonFiles(version),
    ...rest,
    { name: 'pyproject.toml', content: project },
    { name: 'PKG-INFO', content: metadata(version) },
  ];
  return tarGz(files.map(({ name, content }) => ({ name: `verdict_client-${version}/${name}`, content })));
}

/** An artifact for Composer. @param {string} version */
function phpArchive(version) {
  const texts = {
    'composer.json': (text) => text.replace(/"version": "[\d.]+"/, `"version": "${version}"`),
    'src/Version.php': (text) => text.replace(/'[\d.]+'/, `'${version}'`),
  };
  const names = ['composer.json', 'LICENSE', 'README.md', 'autoload.php', ...filesBelow(PHP, 'src')];
  return zip(
    names.map((name) => {
      const text = readFileSync(path.join(PHP, name), 'utf8');
      return { name: `verdict-php-${version}/${name}`, content: Buffer.from(texts[name]?.(text) ?? text) };
    }),
  );
}
