import { EventEmitter, once } from 'node:events';
import { request as forward, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startHttpServer } from './start-http-server.js';

export type HttpProxy = Awaited<ReturnType<typeof startHttpProxy>>;

/** A proxy before an HTTP server that counts the requests and can hold answers back. */
export async function startHttpProxy(target: string, ownPort = 0) {
  const seen: { readonly path: string; readonly outgoing: ServerResponse }[] = [];
  const holds: { readonly path: string; readonly what: 'all' | 'rest' }[] = [];
  const events = new EventEmitter();
  const { hostname, port } = new URL(target);
  const server = await startHttpServer((incoming, outgoing) => {
    const { method, url: path = '' } = incoming;
    seen.push({ path, outgoing });
    // Uncompressed, so that the first half of an answer can be read.
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' };
    const onward = forward({ hostname, port, method, path, headers }, async (answer) => {
      // An expired token is answered 401, and the page asks again.
      const at = answer.statusCode === 200 ? holds.findIndex((hold) => hold.path === path) : -1;
      const [hold] = at < 0 ? [] : holds.splice(at, 1);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!hold) {
        // As a gateway does; a pipe alone would leave the server sending to a reader that has gone.
        outgoing.once('close', () => answer.destroy());
        return void answer.pipe(outgoing);
      }
      const body = await buffer(answer);
      const half = hold.what === 'all' ? 0 : Math.ceil(body.length / 2);
      if (half > 0) outgoing.write(body.subarray(0, half)); // sends the headers too
      events.emit('held');
      await once(events, 'release');
      outgoing.end(body.subarray(half));
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }, ownPort);
  return {
    ...server,
    /** Requests so far whose path starts with this. */
    count: (path: string) => seen.filter((one) => one.path.startsWith(path)).length,
    /** Those of them that are not over yet. */
    underWay: (path: string) =>
      seen.filter((one) => !one.outgoing.closed && one.path.startsWith(path)).length,
    /** Holds back the next answer to this path, all of it or its second half; resolves when the server has sent it. */
    async hold(path: string, what: 'all' | 'rest') {
      holds.push({ path, what });
      await once(events, 'held');
    },
    /** Lets go of what is held back. */
    release: () => void events.emit('release'),
  };
}
