import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Certificates = Awaited<ReturnType<typeof makeCertificates>>;

/** Makes a self-signed certificate for 127.0.0.1 or another subject. Needs openssl. */
export async function makeCertificates(subject = 'IP:127.0.0.1') {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-tls-'));
  const [certificate, key] = [join(directory, 'server.pem'), join(directory, 'server.key')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=Verdict test', '-addext', `subjectAltName=${subject}`],
    ...['-keyout', key, '-out', certificate],
  ]);
  return {
    /** PEM files. */
    certificate,
    key,
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
