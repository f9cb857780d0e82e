import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const uploading = new WeakSet<object>();

/**
 * Lifts Node's server-wide time limit for one request, for the few routes that take files. They are bounded by a
 * minimum rate instead.
 */
export function allowLongUpload(request: IncomingMessage): void {
  const { socket } = request;
  uploading.add(socket);
  request.once('close', () => uploading.delete(socket));
}

export const isLongUpload = (socket: Socket): boolean => uploading.has(socket);
