import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import { claimPort } from './free-port.js';

/** The records of one name. A name without an entry does not exist. */
export interface ZoneEntry {
  /** Priority and host; priority 0 with host '' is a null MX. */
  readonly mx?: readonly (readonly [number, string])[];
  readonly a?: readonly string[];
  readonly aaaa?: readonly string[];
  readonly txt?: readonly string[];
  readonly behaviour?: keyof typeof BEHAVIOURS;
  /** The server holds the answer back until this settles. */
  readonly after?: Promise<unknown>;
}

export type Zone = Record<string, ZoneEntry>;
export type DnsServer = Awaited<ReturnType<typeof startDnsServer>>;

type Reply = Packet & { readonly id: number; readonly flags: number };

/** Response codes and flags by RFC 1035. */
const [SERVFAIL, NXDOMAIN, REFUSED, RECURSION, TRUNCATED] = [2, 3, 5, 0x0180, 0x0200];
const TTL_SECONDS = 60;

const flagged = (reply: Reply, flag: number) => encode({ ...reply, flags: reply.flags | flag, answers: [] });

/** Ways to answer wrongly, or not at all. */
const BEHAVIOURS = {
  servfail: (reply) => flagged(reply, SERVFAIL),
  refused: (reply) => flagged(reply, REFUSED),
  silent: () => undefined,
  malformed: (reply) => Buffer.concat([encode(reply).subarray(0, 2), Buffer.from('not a message')]),
  /** The last record claims to be longer than the message. */
  overrun: (reply) => encode(reply).subarray(0, -4),
  'wrong-id': (reply) => encode({ ...reply, id: (reply.id + 1) & 0xffff }),
  'wrong-question': (reply) => encode({ ...reply, questions: [{ type: 'MX', name: 'somebody-else.com' }] }),
  /** Too long for UDP, so the client has to ask over TCP. */
  truncated: (reply, isTcp) => (isTcp ? encode(reply) : flagged(reply, TRUNCATED)),
  'truncated-silent': (reply, isTcp) => (isTcp ? undefined : flagged(reply, TRUNCATED)),
} satisfies Record<string, (reply: Reply, isTcp: boolean) => Buffer | undefined>;

/** Names below `p12345.example-corp.com` are answered by the server on that port, so a test can delay them at will. */
const DELEGATED = /\.p(\d+)\.example-corp\.com$/;

async function ask(port: number, message: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4').unref();
  socket.send(message, port, '127.0.0.1');
  const [reply] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return reply;
}

/** Starts a DNS server on loopback, UDP and TCP on one port. No test ever asks another one. */
export async function startDnsServer(zone: Zone) {
  const queries: string[] = [];
  const sockets = new Set<Socket>();
  const udp = await claimPort();
  const { address, port } = udp.address();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length > 2 && rest.length >= 2 + rest.readUInt16BE()) {
        const message = rest.subarray(2, 2 + rest.readUInt16BE());
        rest = rest.subarray(2 + message.length);
        void answer(message, true).then((reply) => {
          if (!reply || !socket.writable) return;
          socket.write(Buffer.concat([Buffer.of(reply.length >> 8, reply.length & 0xff), reply]));
        });
      }
    });
  });
  udp.on('message', async (message, sender) => {
    const reply = await answer(message, false);
    if (reply) udp.send(reply, sender.port, sender.address, () => {});
  });
  await once(tcp.listen(port, address), 'listening');

  async function answer(message: Buffer, isTcp: boolean): Promise<Buffer | undefined> {
    const { id = 0, questions = [] } = decode(message);
    const [question] = questions;
    if (!question) return undefined;
    const name = question.name.toLowerCase();
    queries.push(`${question.type} ${name}${isTcp ? ' tcp' : ''}`);
    const [, port] = DELEGATED.exec(name) ?? [];
    if (port !== undefined && !(name in zone)) return ask(Number(port), message);
    const entry = zone[name] ?? delegation(name);
    await entry?.after;
    const flags = entry ? RECURSION : RECURSION | NXDOMAIN;
    const reply: Reply = { id, type: 'response', flags, questions, answers: recordsOf(question, entry) };
    return entry?.behaviour ? BEHAVIOURS[entry.behaviour](reply, isTcp) : encode(reply);
  }

  /** A top-level domain with names below it exists without records. */
  const delegation = (name: string): ZoneEntry | undefined =>
    !name.includes('.') && Object.keys(zone).some((each) => each.endsWith(`.${name}`)) ? {} : undefined;

  return {
    /** host:port, as DNS_SERVERS takes it. */
    address: `${address}:${port}`,
    /** A name that the server of a shared stack has this one answer. */
    nameOf: (name: string): string => `${name}.p${port}.example-corp.com`,
    /** Every question so far, as `MX acme.com` or, over TCP, `MX acme.com tcp`. */
    queries,
    /** May be changed while the server runs. */
    zone,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([once(tcp.close(), 'close'), once(udp.close(), 'close')]);
    },
  };
}

function recordsOf({ name, type }: Question, { mx = [], a, aaaa, txt }: ZoneEntry = {}): Answer[] {
  const hosts = mx.map(([preference, exchange]) => ({ preference, exchange }));
  const records: Record<string, readonly unknown[] | undefined> = { MX: hosts, A: a, AAAA: aaaa, TXT: txt };
  return (records[type] ?? []).map((one) => ({ name, type, ttl: TTL_SECONDS, data: one }) as Answer);
}
