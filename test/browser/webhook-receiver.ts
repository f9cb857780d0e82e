import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WebhookReceiver {
  readonly url: string;
  /** The ids of the messages that came, in their order. */
  readonly received: string[];
  /** What it answers from now on. */
  answer: { readonly status: number; readonly body?: string };
  stop(): Promise<void>;
}

/** Somebody's endpoint, on loopback. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    receiver.received.push(String(request.headers['webhook-id']));
    request.resume();
    request.once('end', () => response.writeHead(receiver.answer.status).end(receiver.answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    answer: { status: 204 },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
