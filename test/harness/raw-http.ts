import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Opens a connection and says exactly this; what comes back is the caller's to read, or not to read. */
export async function say(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.write(text);
  return socket;
}

/** What a server answers to exactly this text: once the answer is complete, or the connection is closed. */
export async function sayAndRead(url: string, text: string): Promise<RawAnswer> {
  const socket = await say(url, text);
  let received = '';
  const answer = await new Promise<RawAnswer>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const read = readAnswer(received);
      if (read && read.text.length >= Number(read.headers['content-length'] ?? Infinity)) resolve(read);
    });
    socket.once('close', () => resolve(readAnswer(received) ?? { status: 0, headers: {}, text: '' }));
  });
  socket.destroy();
  return answer;
}

/** The last answer in a text, once its head is there: before it there may be a 100 Continue. */
function readAnswer(text: string): RawAnswer | null {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  if (rest.length === 0) return null;
  if (/^HTTP\/1\.1 1\d\d/.test(head)) return readAnswer(rest.join('\r\n\r\n'));
  const [line = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map((field) => {
      const [name = '', ...value] = field.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
  return { status: Number(line.split(' ')[1] ?? 0), headers, text: rest.join('\r\n\r\n') };
}
