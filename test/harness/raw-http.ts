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

/** Every answer to exactly this text: the connection is half closed behind it, so that the server closes it when it has done. */
export async function sayAndReadAll(url: string, text: string | Buffer): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('end', resolve);
    socket.once('error', () => resolve());
    socket.once('close', () => resolve());
    socket.end(text);
  });
  socket.destroy();
  return readAnswers(Buffer.concat(chunks).toString('latin1'));
}

function readAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest.startsWith('HTTP/1'); ) {
    const end = rest.indexOf('\r\n\r\n');
    const answer = readAnswer(end === -1 ? `${rest}\r\n\r\n` : rest);
    if (answer === null) break;
    const length = Number(answer.headers['content-length'] ?? answer.text.length);
    answers.push({ ...answer, text: answer.text.slice(0, length) });
    rest = answer.text.slice(length);
  }
  return answers;
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
