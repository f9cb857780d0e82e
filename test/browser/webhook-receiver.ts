import { startHttpServer } from '../harness/start-http-server.js';

/** Starts a customer's webhook endpoint on loopback. */
export async function startWebhookReceiver() {
  /** Ids of the messages, in the order in which they arrived. */
  const received: string[] = [];
  const server = await startHttpServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    request.once('end', () => response.writeHead(receiver.answer.status).end(receiver.answer.body));
  });
  const receiver = {
    url: `${server.url}/hooks`,
    stop: server.stop,
    received,
    /** How it answers from now on. */
    answer: { status: 204 } as { readonly status: number; readonly body?: string },
  };
  return receiver;
}
