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

/** What a server answers to exactly this text, once it has closed the connection. */
export async function sayAndRead(url: string, text: string): Promise<RawAnswer> {
  const socket = await say(url, text);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return readAnswer(Buffer.concat(chunks).toString('latin1'));
}

/** The last answer in a text: before it there may be a 100 Continue. */
function readAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
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
