import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SCORING_VERSION } from '@verdict/contracts/scoring-api.js';
import {
  FRAME_BYTES_MAX,
  FRAMES_PROTOCOL,
  type FrameAnswer,
  type FrameRequest,
  GOODBYE,
} from '@verdict/contracts/scoring-frames.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { createFrameReader } from '@verdict/service-kit/frame-reader.js';
import { toFrame } from '@verdict/service-kit/to-frame.js';

const VERSION = { version: '2026-11-01' };
export const DATASETS = {
  disposable_domains: { count: 1, ...VERSION },
  free_providers: VERSION,
  role_prefixes: VERSION,
};

/** One connection of a gateway as the test's replica sees it. */
export interface Gateway {
  readonly socket: Socket;
  answer(number: number, answer: FrameAnswer | string): void;
  goodbye(): void;
}

interface FramesReplicaOptions {
  /** Answers a batch that came as a frame. */
  readonly onBatch: (gateway: Gateway, number: number, request: FrameRequest) => void;
}

/** A replica whose frames the test writes by hand. By the plain route every score is 99. */
export async function startFramesReplica({ onBatch }: FramesReplicaOptions) {
  const gateways: Gateway[] = [];
  let plainBatches = 0;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const { checks } = JSON.parse(await text(request)) as { checks: unknown[] };
    plainBatches++;
    const verdicts = [sampleVerdict({ risk_score: 99 })];
    const positions = checks.map((_, i) => ({ i, verdict: 0 }));
    response.end(
      `${JSON.stringify({ v: SCORING_VERSION, datasets: DATASETS, verdicts, checks: positions })}\n`,
    );
  });
  server.on('upgrade', (_request, socket: Socket) => {
    socket.on('error', () => undefined);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: ${FRAMES_PROTOCOL}\r\n\r\n`,
    );
    const answer = (number: number, told: FrameAnswer | string) =>
      socket.write(toFrame(number, typeof told === 'string' ? told : JSON.stringify(told)));
    const gateway: Gateway = { socket, answer, goodbye: () => answer(GOODBYE, {}) };
    gateways.push(gateway);
    socket.on('end', () => socket.destroy());
    socket.on(
      'data',
      createFrameReader(FRAME_BYTES_MAX, (number, body) =>
        onBatch(gateway, number, JSON.parse(body) as FrameRequest),
      ),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    gateways,
    plainBatches: () => plainBatches,
    close() {
      for (const { socket } of gateways) socket.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
