import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './case.js';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const CHECK = {
  success: true,
  id: 'log_1',
  email: 'a@b.example',
  ip: null,
  decision: 'allow',
  risk_score: 0,
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  reasons: [],
  created_at: '2026-11-15T00:00:00.000000+00:00',
};

export interface FaultServer {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  /** The most requests that it was answering concurrently. */
  mostRunning(): number;
  close(): Promise<unknown>;
}

const DRIP_MS = 100;

/** A server that accepts connections and says nothing, so that no handshake ends. */
export async function startSilentTlsServer(): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => sockets.add(socket.on('error', () => undefined)));
  return {
    origin: `https://127.0.0.1:${await listen(server)}`,
    seen: [],
    mostRunning: () => 0,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that answers each request as the list says and remembers what it was asked. It handles `places` concurrent requests. */
export async function startFaultServer(answers: readonly Answer[], places = 1_000): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  const listed = answers
    .filter(({ when }) => when === undefined)
    .flatMap((answer) => Array<Answer>(answer.times ?? 1).fill(answer));
  let began = 0;
  let working = 0;
  let running = 0;
  let mostRunning = 0;
  const waiting: { readonly requests: number; readonly go: () => void }[] = [];
  const untilSeen = (requests: number) =>
    seen.length >= requests || new Promise<void>((go) => waiting.push({ requests, go }));
  const queue: (() => void)[] = [];
  const work = async (ms: number) => {
    if (working >= places) await new Promise<void>((resolve) => queue.push(resolve));
    else working++;
    await sleep(ms);
    const next = queue.shift();
    if (next) next();
    else working--;
  };
  const server = createServer(async (request, response) => {
    const turn = Math.min(began++, listed.length - 1);
    const { method = '', url = '', headers } = request;
    // A client whose file fails hangs up in the middle.
    const body = await text(request).catch(() => null);
    if (body === null) return;
    seen.push({ method, path: url, headers, body });
    mostRunning = Math.max(mostRunning, ++running);
    for (const { requests, go } of waiting) if (seen.length >= requests) go();
    const answer = answers.find(({ when }) => when && body.includes(when)) ?? listed[turn] ?? {};
    await untilSeen(answer.afterRequests ?? 0);
    await work(answer.delayMs ?? 0);
    running--;
    give(response, answer, body);
  });
  // A kept connection that ends while the next request is on its way would be a network error, which no case asks for.
  server.keepAliveTimeout = 0;
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return {
    origin,
    seen,
    mostRunning: () => mostRunning,
    close(): Promise<unknown> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** One byte of the head at a time, for as long as the client listens. */
function drip({ socket }: ServerResponse): void {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-padding: ';
  let at = 0;
  const timer = setInterval(() => socket?.write(head[at++] ?? 'x'), DRIP_MS);
  socket?.once('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
}

function give(response: ServerResponse, answer: Answer, asked: string): void {
  const { status = 200, fault, good } = answer;
  if (fault === 'hang') return;
  if (fault === 'drip') {
    drip(response);
    return;
  }
  if (fault === 'reset') {
    response.destroy();
    return;
  }
  const date = answer.retryAfterDate;
  const type = answer.text === undefined ? 'application/json' : 'text/html';
  const headers = {
    'content-type': type,
    ...answer.headers,
    ...(date !== undefined && { 'retry-after': new Date(Date.now() + date * 1_000).toUTCString() }),
  };
  const body = good
    ? JSON.stringify(goodAnswer(asked))
    : (answer.text ?? JSON.stringify(answer.json ?? null));
  if (fault === 'stall' || fault === 'cut') {
    response.writeHead(status, { ...headers, 'content-length': '1000' });
    response.write(body.slice(0, 10));
    if (fault === 'cut') setTimeout(() => response.destroy(), 20);
    return;
  }
  response.writeHead(status, headers);
  response.end(status === 204 ? undefined : body);
}

function goodAnswer(asked: string): object {
  const { items } = JSON.parse(asked) as { items?: { email: string; ref?: string }[] };
  if (!items) return CHECK;
  return {
    success: true,
    results: items.map(({ email, ref = null }) => ({ ref, check: { ...CHECK, email } })),
  };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
