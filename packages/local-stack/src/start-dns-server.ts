import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket as TcpSocket } from 'node:net';
import {
  ipv4Data,
  ipv6Data,
  mxData,
  nameData,
  type Question,
  RCODE,
  readQuestion,
  TYPE,
  textData,
  writeAnswer,
} from './dns-wire.js';

/** What the server says about one name. A name that is not in the zone does not exist. */
export interface ZoneEntry {
  /** Priority and host; the host '' with priority 0 is a null MX. */
  readonly mx?: readonly (readonly [number, string])[];
  readonly a?: readonly string[];
  /** All eight groups written out. */
  readonly aaaa?: readonly string[];
  readonly txt?: readonly string[];
  readonly behaviour?: Behaviour;
  /** The answer is held back until this settles. */
  readonly after?: Promise<unknown>;
}

export type Behaviour =
  | 'servfail'
  | 'refused'
  /** Never answers. */
  | 'silent'
  /** Bytes that are no DNS message. */
  | 'malformed'
  /** A record whose length runs past the end of the message. */
  | 'overrun'
  /** Answers another query's id. */
  | 'wrong-id'
  /** Answers a question that was not asked. */
  | 'wrong-question'
  /** Says over UDP that the answer is too long, and gives it over TCP. */
  | 'truncated'
  /** Truncated over UDP, silent over TCP. */
  | 'truncated-silent';

export type Zone = Record<string, ZoneEntry>;

export interface DnsServer {
  /** host:port, as DNS_SERVERS takes it. */
  readonly address: string;
  /** Every question so far, as `MX acme.com` or, over TCP, `MX acme.com tcp`. */
  readonly queries: string[];
  /** May be changed while the server runs. */
  readonly zone: Zone;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** A DNS server of our own on loopback, UDP and TCP on one port: the only DNS that tests ever see. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const { udp, tcp, port } = await bindBoth();
  const queries: string[] = [];
  const sockets = new Set<TcpSocket>();

  udp.on('message', (message, sender) => {
    void answer(message, 'udp').then((reply) => {
      if (reply !== undefined) udp.send(reply, sender.port, sender.address, () => {});
    });
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const end = 2 + rest.readUInt16BE(0);
        const message = rest.subarray(2, end);
        rest = rest.subarray(end);
        void answer(message, 'tcp').then((reply) => {
          if (reply !== undefined && socket.writable) socket.write(withLength(reply));
        });
      }
    });
  });

  async function answer(message: Buffer, transport: 'udp' | 'tcp'): Promise<Buffer | undefined> {
    const question = readQuestion(message);
    const typeName =
      Object.entries(TYPE).find(([, type]) => type === question.type)?.[0] ?? String(question.type);
    queries.push(`${typeName} ${question.name}${transport === 'tcp' ? ' tcp' : ''}`);
    const entry = zone[question.name] ?? delegation(question.name);
    await entry?.after;
    return respond(question, entry, transport);
  }

  /** An ending below which there are names exists itself, without records. */
  function delegation(name: string): ZoneEntry | undefined {
    return !name.includes('.') && Object.keys(zone).some((each) => each.endsWith(`.${name}`))
      ? {}
      : undefined;
  }

  return {
    address: `${HOST}:${port}`,
    queries,
    zone,
    async close() {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
      await Promise.all([once(tcp, 'close'), once(udp, 'close')]);
    },
  };
}

function respond(
  question: Question,
  entry: ZoneEntry | undefined,
  transport: 'udp' | 'tcp',
): Buffer | undefined {
  if (entry === undefined) return writeAnswer(question, { rcode: RCODE.NXDOMAIN });
  const right = writeAnswer(question, { rcode: RCODE.NOERROR, records: recordsOf(question, entry) });
  switch (entry.behaviour) {
    case undefined:
      return right;
    case 'servfail':
      return writeAnswer(question, { rcode: RCODE.SERVFAIL });
    case 'refused':
      return writeAnswer(question, { rcode: RCODE.REFUSED });
    case 'silent':
      return undefined;
    case 'malformed':
      return Buffer.concat([right.subarray(0, 2), Buffer.from('not a message')]);
    case 'overrun': {
      const broken = Buffer.from(right);
      broken.writeUInt16BE(0x7fff, 12 + question.section.length + 10);
      return broken;
    }
    case 'wrong-id':
      right.writeUInt16BE((question.id + 1) & 0xffff, 0);
      return right;
    case 'wrong-question': {
      const other = Buffer.concat([nameData('somebody-else.com'), question.section.subarray(-4)]);
      return writeAnswer(
        { ...question, section: other },
        { rcode: RCODE.NOERROR, records: recordsOf(question, entry) },
      );
    }
    case 'truncated':
      return transport === 'tcp' ? right : writeAnswer(question, { rcode: RCODE.NOERROR, truncated: true });
    case 'truncated-silent':
      return transport === 'tcp'
        ? undefined
        : writeAnswer(question, { rcode: RCODE.NOERROR, truncated: true });
  }
}

function recordsOf({ type }: Question, { mx = [], a = [], aaaa = [], txt = [] }: ZoneEntry): Buffer[] {
  switch (type) {
    case TYPE.MX:
      return mx.map(([priority, host]) => mxData(priority, host));
    case TYPE.A:
      return a.map(ipv4Data);
    case TYPE.AAAA:
      return aaaa.map(ipv6Data);
    case TYPE.TXT:
      return txt.map(textData);
    default:
      return [];
  }
}

/** UDP takes any free port; should TCP find it taken, both try another. */
async function bindBoth(): Promise<{ udp: Socket; tcp: Server; port: number }> {
  for (;;) {
    const udp = createSocket('udp4');
    udp.bind(0, HOST);
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    try {
      tcp.listen(port, HOST);
      await once(tcp, 'listening');
      return { udp, tcp, port: (tcp.address() as AddressInfo).port };
    } catch {
      udp.close();
    }
  }
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
