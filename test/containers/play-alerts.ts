import { inRoot } from '@verdict/local-stack/paths.js';
import { finish } from '../harness/compose.js';

const SCRIPT = `set -e
apt-get update -qq
apt-get install -y -qq --no-install-recommends prometheus >/dev/null
promtool check config /rules/prometheus.yml
promtool test rules /rules/alerts.test.yml`;

/** Plays the cases of the alert rules with Prometheus' own tool. Returns what does not hold. */
export async function playAlerts(): Promise<string[]> {
  const rules = `${inRoot('deploy/prometheus')}:/rules:ro`;
  const image = process.env.DEBIAN_IMAGE ?? 'debian:bookworm-slim';
  const run = await finish('docker', [
    'run',
    '--rm',
    '--network',
    'host',
    '-v',
    rules,
    image,
    'bash',
    '-c',
    SCRIPT,
  ]);
  return run.code === 0 ? [] : [`promtool: ${run.stdout}${run.stderr}`];
}
