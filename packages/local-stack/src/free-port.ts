import { createHash, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isPortFree } from '../../../scripts/lib/is-port-free.mjs';
import { inData } from './paths.js';

// Below the range for outgoing connections, so a server that restarts finds its port free again. fetch refuses 10080.
const [LOWEST, COUNT] = [10_100, 19_900];

/**
 * Claims a port on loopback by binding it for UDP, at `offset` or the next that is free. The kernel gives each UDP port
 * to one process and takes it back when that process ends, so processes side by side never share a port, and TCP stays free.
 */
export async function claimPort(offset = randomInt(COUNT)): Promise<Socket> {
  const claim = createSocket('udp4').bind(LOWEST + (offset % COUNT), '127.0.0.1');
  const isClaimed = await once(claim, 'listening').catch(() => false);
  if (isClaimed && (await isPortFree(claim.address().port))) return claim;
  claim.close();
  return claimPort(offset + 1);
}

/** Returns a port that is ours until this process ends, so a server can be restarted on it. A name has the same one at every start. */
export async function freePort(name?: string): Promise<number> {
  const offset = name && createHash('sha256').update(inData(name)).digest().readUInt32BE();
  return (await claimPort(offset || undefined)).unref().address().port;
}
