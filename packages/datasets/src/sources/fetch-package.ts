import { createHash, timingSafeEqual } from 'node:crypto';
import { type FetchLimits, fetchBytes, type Validators } from './fetch-bytes.js';
import { readTarFile } from './read-tar.js';

export const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';
/** The short form of a package's document: versions and their locations. */
const SHORT_DOCUMENT = 'application/vnd.npm.install-v1+json';
/** Text packs well; this is far above what any list has reached. */
const UNPACKED_FACTOR = 20;

export type FetchedPackage =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'fetched';
      readonly version: string;
      readonly bytes: Buffer;
      readonly validators: Validators;
    };

interface Document {
  readonly 'dist-tags'?: { readonly latest?: string };
  readonly versions?: Record<string, { dist?: { tarball?: string; integrity?: string } }>;
}

/** One file of the newest version of a package, unless that is the version already had. No code of it is ever run. */
export async function fetchPackageFile(options: {
  readonly registry: string;
  readonly name: string;
  readonly file: string;
  readonly had: Validators & { readonly version?: string | undefined };
  readonly limits: FetchLimits;
}): Promise<FetchedPackage> {
  const { name, limits } = options;
  const registry = options.registry.replace(/\/?$/, '/');
  const answer = await fetchBytes(registry + name.replace('/', '%2f'), limits, options.had, SHORT_DOCUMENT);
  if (answer.kind === 'unchanged') return answer;
  const document = JSON.parse(answer.bytes.toString('utf8')) as Document;
  const version = document['dist-tags']?.latest;
  const dist = version === undefined ? undefined : document.versions?.[version]?.dist;
  if (version === undefined || dist?.tarball === undefined)
    throw new Error('the registry names no newest version');
  if (version === options.had.version) return { kind: 'unchanged' };

  const archive = await fetchBytes(atRegistry(dist.tarball, registry), limits);
  if (archive.kind !== 'fetched') throw new Error('the registry answered 304 to no condition');
  verify(archive.bytes, dist.integrity);
  const bytes = readTarFile(archive.bytes, options.file, limits.bytesMax * UNPACKED_FACTOR);
  return { kind: 'fetched', version, bytes, validators: answer.validators };
}

/** A mirror passes on documents that name the public registry; the package is requested from the mirror too, as npm does. */
function atRegistry(tarball: string, registry: string): string {
  return tarball.startsWith(PUBLIC_REGISTRY) ? registry + tarball.slice(PUBLIC_REGISTRY.length) : tarball;
}

function verify(bytes: Buffer, integrity = ''): void {
  const expected = /(?:^|\s)sha512-([A-Za-z0-9+/=]+)/.exec(integrity)?.[1];
  if (expected === undefined) throw new Error('the registry vouches for the package with no sha512');
  const wanted = Buffer.from(expected, 'base64');
  const found = createHash('sha512').update(bytes).digest();
  if (wanted.length !== found.length || !timingSafeEqual(wanted, found))
    throw new Error('the package is not the one that the registry vouches for');
}
