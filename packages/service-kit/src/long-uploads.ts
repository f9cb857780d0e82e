import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const uploading = new WeakSet<object>();

/**
 * A request must arrive within seconds, by a limit that Node has for the whole server. The few routes that take files
 * say so here, and bound them by another measure: a least rate. For this request, not for the next on its connection.
 */
export function allowLongUpload(request: IncomingMessage): void {
  const { socket } = request;
  uploading.add(socket);
  request.once('close', () => uploading.delete(socket));
}

export const isLongUpload = (socket: Socket): boolean => uploading.has(socket);
