import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificates {
  /** PEM files: the authority that nobody knows, and a server's certificate and key. */
  readonly authority: string;
  readonly certificate: string;
  readonly key: string;
  remove(): Promise<void>;
}

/** An authority of this test's own, as a company has one for its inside. Needs the openssl command. */
export async function makeCertificates(madeOutTo = 'IP:127.0.0.1'): Promise<Certificates> {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-tls-'));
  const file = (name: string) => join(directory, name);
  const openssl = (...args: string[]) => run('openssl', args, { cwd: directory });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await openssl(
    ...['req', '-x509', ...curve, '-days', '2', '-subj', '/CN=Verdict test authority'],
    ...['-keyout', 'authority.key', '-out', 'authority.pem'],
  );
  await openssl('req', ...curve, '-subj', '/CN=server', '-keyout', 'server.key', '-out', 'server.csr');
  await writeFile(file('names'), `subjectAltName=${madeOutTo}\n`);
  await openssl(
    ...['x509', '-req', '-in', 'server.csr', '-CA', 'authority.pem', '-CAkey', 'authority.key'],
    ...['-CAcreateserial', '-days', '2', '-extfile', 'names', '-out', 'server.pem'],
  );
  return {
    authority: file('authority.pem'),
    certificate: file('server.pem'),
    key: file('server.key'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
