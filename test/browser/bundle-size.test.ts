import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';

const WEB = join(ROOT, 'dist/assets/dashboard');
const SCRIPT_BYTES_MAX = 220_000;
const STYLE_BYTES_MAX = 40_000;

const read = (file: string) => readFileSync(join(WEB, file));
const gzipped = (file: string) => gzipSync(read(file), { level: 9 }).length;
const assets = readdirSync(join(WEB, 'assets'));

/** A chunk and everything that it imports before it runs. */
function withImports(entry: string, found = new Set<string>()): Set<string> {
  if (found.has(entry)) return found;
  found.add(entry);
  for (const [, name = ''] of read(`assets/${entry}`)
    .toString()
    .matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) {
    withImports(name, found);
  }
  return found;
}

const chunkOf = (page: string) => {
  const name = assets.find((file) => file.startsWith(`${page}-`) && file.endsWith('.js'));
  if (!name) throw new Error(`${page} is no chunk of its own`);
  return name;
};

const entry = /src="\/assets\/([^"]+\.js)"/.exec(read('index.html').toString())?.[1] ?? '';
const scripts = withImports(chunkOf('OverviewPage'), withImports(entry));

t.test('the first page needs at most 220 kB of scripts and 40 kB of styles, gzipped', async (t) => {
  const bytes = [...scripts].reduce((sum, name) => sum + gzipped(`assets/${name}`), 0);
  t.comment(`${scripts.size} scripts, ${bytes} bytes gzipped`);
  t.ok(scripts.size > 1, 'the page is a chunk of its own');
  t.ok(bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes of scripts`);

  const styles = assets.filter((name) => name.endsWith('.css'));
  const styleBytes = styles.reduce((sum, name) => sum + gzipped(`assets/${name}`), 0);
  t.comment(`${styles.length} style sheets, ${styleBytes} bytes gzipped`);
  t.ok(styleBytes <= STYLE_BYTES_MAX, `${styleBytes} bytes of styles, those of all pages together`);
});

t.test('the reference and the operator area are not in the first load', async (t) => {
  for (const page of ['ReferencePage', 'SystemTab', 'LogsPage']) t.notOk(scripts.has(chunkOf(page)), page);
});

t.test('no file of the application names another host', async (t) => {
  // Addresses in comments of licences, in XML namespaces and behind links are never asked for by the page.
  const harmless =
    /^https?:\/\/(?:www\.w3\.org|www\.standardwebhooks\.com|react\.dev|mantine\.dev|tanstack\.com|github\.com|help\.mantine\.dev|db-ip\.com|supabase\.com|workos\.com|www\.ory\.sh|auth0\.com|clerk\.com|better-auth\.com|authjs\.dev|next-auth\.js\.org|firebase\.google\.com|docs\.aws\.amazon\.com|www\.keycloak\.org|docs\.allauth\.org|guides\.rubyonrails\.org|login\.microsoftonline\.com|accounts\.google\.com)\b/;
  for (const name of assets.filter((file) => /\.(?:js|css)$/.test(file))) {
    const named = [
      ...read(`assets/${name}`)
        .toString()
        .matchAll(/https?:\/\/[a-z0-9.-]+\.[a-z]{2,}/g),
    ].map(([url]) => url);
    t.strictSame(
      named.filter((url) => !harmless.test(url)),
      [],
      name,
    );
  }
});

t.test('scripts and styles lie there compressed', async (t) => {
  for (const name of assets.filter((file) => /\.(?:js|css)$/.test(file))) {
    if (read(`assets/${name}`).length < 512) continue;
    t.ok(assets.includes(`${name}.br`) && assets.includes(`${name}.gz`), name);
  }
});
