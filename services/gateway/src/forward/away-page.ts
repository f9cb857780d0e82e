import type { FastifyReply, FastifyRequest } from 'fastify';

const RETRY_SECONDS = 2;

/** For a browser that opens a page while the control plane is away. It holds no script, so no policy has to allow one. */
const AWAY_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${RETRY_SECONDS}">
<title>Verdict is not available</title>
<style>body { max-width: 34em; margin: 18vh auto; padding: 0 1em; font: 15px/1.5 system-ui, sans-serif }</style>
<h1>Verdict is not available</h1>
<p>This page retries every ${RETRY_SECONDS} seconds. Your data is safe, and the API keeps answering checks.</p>
</html>
`;

/** Whether somebody opens a page: a program that asks for JSON gets JSON. */
export const opensPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

export const sendAwayPage = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'retry-after': String(RETRY_SECONDS),
    })
    .send(AWAY_PAGE);
