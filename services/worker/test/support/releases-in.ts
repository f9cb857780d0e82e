import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createReleaseStore } from '@verdict/datasets/releases/release-store.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A folder of releases, each the shipped data with some names more and some fewer, all by the first curated source. */
export function releasesIn(directory: string) {
  const store = createReleaseStore(directory, undefined);
  const shipped = new Map(
    readdirSync(SHIPPED_DIR)
      .filter((file) => /\.(txt|json)$/.test(file))
      .map((file) => [file, readFileSync(join(SHIPPED_DIR, file), 'utf8')]),
  );
  const manifest = JSON.parse(shipped.get('manifest.json') ?? '');
  const bit = manifest.disposable_sources.findIndex(({ tier }: { tier: string }) => tier === 'curated');
  const lines = (shipped.get('disposable-domains.txt') ?? '').trimEnd().split('\n');
  const servers = (shipped.get('disposable-mail-hosts.txt') ?? '').trimEnd().split('\n');
  return {
    source: manifest.disposable_sources[bit].name as string,
    async publish(
      id: string,
      { more = [] as string[], fewer = [] as string[], hosts = [] as string[] } = {},
    ) {
      const kept = lines.filter((line) => !fewer.includes(line.split(' ')[0] ?? ''));
      const names = [...kept, ...more.map((name) => `${name} ${(2 ** bit).toString(16)}`)].sort((a, b) =>
        (a.split(' ')[0] ?? '') < (b.split(' ')[0] ?? '') ? -1 : 1,
      );
      const text = `${names.join('\n')}\n`;
      const changed = structuredClone(manifest);
      changed.release = id;
      Object.assign(changed.datasets.disposable_domains, { sha256: sha256(text), count: names.length });
      const known = [...servers, ...hosts.map((host) => `${host} fleet`)].sort();
      const mail = `${known.join('\n')}\n`;
      Object.assign(changed.datasets.disposable_mail_hosts, { sha256: sha256(mail), count: known.length });
      const files = new Map([
        ...shipped,
        ['disposable-domains.txt', text] as const,
        ['disposable-mail-hosts.txt', mail] as const,
        ['manifest.json', JSON.stringify(changed)] as const,
      ]);
      await store.publish(id, await store.stage(files), new Date());
    },
  };
}
