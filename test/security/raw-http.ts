import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface RawAnswer {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly text: string;
}

/** The header of an answer in JSON. */
export const JSON_TYPE = /^content-type: *application\/json/im;

/** Opens a connection and sends exactly this text; the caller reads the answer, or does not. */
export async function say(url: string, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  socket.on('error', () => undefined).write(text);
  return socket;
}

/** Sends exactly this text and returns the answer once it is complete or the connection is closed. */
export async function sayAndRead(url: string, text: string): Promise<RawAnswer | undefined> {
  const socket = await say(url, text);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    const [answer] = readAnswers(received);
    const length = /^content-length: *(\d+)\r$/im.exec(answer?.head ?? '')?.[1] ?? Infinity;
    if (answer && answer.text.length >= Number(length)) socket.destroy();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return readAnswers(received)[0];
}

/** Sends exactly this text and returns every answer. It half-closes the connection, so the server closes it at the end. */
export async function sayAndReadAll(url: string, text: Buffer): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
  });
  await new Promise<unknown>((resolve) => {
    for (const event of ['end', 'error', 'close']) socket.once(event, resolve);
    socket.end(text);
  });
  socket.destroy();
  return readAnswers(received);
}

/** Splits what a server sent into its answers, without any 100 Continue. */
const readAnswers = (received: string): RawAnswer[] =>
  received.split(/(?=HTTP\/1\.[01] [2-9]\d\d )/).flatMap((one) => {
    const [, head = one, text = ''] = /^(.*?\r\n)\r\n(.*)$/s.exec(one) ?? [];
    const status = Number(/^HTTP\/1\.[01] ([2-9]\d\d) /.exec(head)?.[1]);
    return status ? [{ status, head, text }] : [];
  });
