/** Just enough of RFC 1035 to read a question and write an answer, right or deliberately wrong. */
export const TYPE = { A: 1, MX: 15, TXT: 16, AAAA: 28 } as const;
export const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;

export interface Question {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  /** The question section as it came, to be echoed. */
  readonly section: Buffer;
}

export interface Answer {
  readonly rcode: number;
  readonly type?: number;
  readonly records?: readonly Buffer[];
  readonly truncated?: boolean;
}

const TTL_SECONDS = 60;
const POINTER_TO_QUESTION = 0xc00c;

export function readQuestion(message: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length !== 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return {
    id: message.readUInt16BE(0),
    name: labels.join('.').toLowerCase(),
    type: message.readUInt16BE(at + 1),
    section: message.subarray(12, at + 5),
  };
}

export function writeAnswer(
  question: Question,
  { rcode, type, records = [], truncated = false }: Answer,
): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(question.id, 0);
  // A response, recursion desired and available.
  header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  const answers = records.map((data) => {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(POINTER_TO_QUESTION, 0);
    head.writeUInt16BE(type ?? question.type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(TTL_SECONDS, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  return Buffer.concat([header, question.section, ...answers]);
}

export function mxData(priority: number, host: string): Buffer {
  const preference = Buffer.alloc(2);
  preference.writeUInt16BE(priority);
  return Buffer.concat([preference, nameData(host)]);
}

export function nameData(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

export function ipv4Data(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** All eight groups written out. */
export function ipv6Data(address: string): Buffer {
  return Buffer.concat(
    address.split(':').map((group) => {
      const bytes = Buffer.alloc(2);
      bytes.writeUInt16BE(Number.parseInt(group, 16));
      return bytes;
    }),
  );
}

export function textData(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')]);
}
