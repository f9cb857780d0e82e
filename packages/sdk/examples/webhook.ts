import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@verdict/sdk';

const secret = process.env.VERDICT_WEBHOOK_SECRET ?? '';
/** A message can come twice; in production this is a table with a unique column. */
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  // The bytes as they came: parsing and printing JSON again would change them.
  const body = await buffer(request);
  if (!(await verifyWebhook(secret, request.headers, body))) {
    console.log('refused a message that is not genuine');
    response.writeHead(401).end();
    return;
  }
  const id = String(request.headers['webhook-id']);
  if (!seen.has(id)) {
    seen.add(id);
    const { type, data } = JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> };
    console.log('received', type, JSON.stringify(data));
  }
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 3000), () => console.log('listening'));
