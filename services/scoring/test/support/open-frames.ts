import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import {
  FRAME_BYTES_MAX,
  FRAMES_PATH,
  FRAMES_PROTOCOL,
  type FrameAnswer,
} from '@verdict/contracts/scoring-frames.js';
import { createFrameReader } from '@verdict/service-kit/frame-reader.js';
import { toFrame } from '@verdict/service-kit/to-frame.js';

export type Frames = Awaited<ReturnType<typeof openFrames>>;

/** A connection for frames as a gateway opens it, with its answers in the order of their arrival. */
export async function openFrames(url: string) {
  const asking = request(url + FRAMES_PATH, { headers: { connection: 'upgrade', upgrade: FRAMES_PROTOCOL } });
  asking.end();
  const [, socket] = (await once(asking, 'upgrade')) as [unknown, Socket];
  const answers: [number, FrameAnswer][] = [];
  const read = createFrameReader(FRAME_BYTES_MAX, (number, text) => {
    answers.push([number, JSON.parse(text) as FrameAnswer]);
    socket.emit('answer');
  });
  socket.on('data', read);
  socket.on('error', () => undefined);
  const sendTraced = (traces: string | undefined, number: number, ...emails: string[]) =>
    socket.write(toFrame(number, JSON.stringify({ emails, accounts: emails.map(() => 'acc_test'), traces })));
  return {
    socket,
    answers,
    send(number: number, ...emails: string[]) {
      return sendTraced(undefined, number, ...emails);
    },
    sendTraced,
    /** The next answer, in order of arrival. */
    async next(): Promise<[number, FrameAnswer]> {
      while (answers.length === 0) await once(socket, 'answer');
      return answers.shift() as [number, FrameAnswer];
    },
  };
}
