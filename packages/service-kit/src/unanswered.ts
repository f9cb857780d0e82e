import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Clients of ours ask one after the other; a connection that asks far ahead is ended. */
const PIPELINED_MAX = 16;

const byConnection = new WeakMap<Socket, Set<ServerResponse>>();
const latest = new WeakMap<Socket, ServerResponse>();

/** Notes an answer that is due on a connection. The caller removes it once it is closed. */
export function noteUnanswered(socket: Socket, response: ServerResponse): Set<ServerResponse> {
  let unanswered = byConnection.get(socket);
  if (!unanswered) {
    unanswered = new Set();
    byConnection.set(socket, unanswered);
    socket.once('close', closeWaiting);
  }
  unanswered.add(response);
  latest.set(socket, response);
  if (unanswered.size > PIPELINED_MAX) socket.destroy();
  return unanswered;
}

/**
 * Calls `begin` when the answer before the latest one has left, and never if the connection ends first. Requests handled
 * ahead of their turn would take time and memory from other connections.
 */
export function afterAnswerBefore(unanswered: ReadonlySet<ServerResponse>, begin: () => void): void {
  const before = unanswered.size > 1 ? [...unanswered].at(-2) : undefined;
  if (before) before.once('close', () => before.req.socket.destroyed || begin());
  else begin();
}

/** The latest request of a connection that has arrived as a whole. */
export function latestWhole(socket: Socket): ServerResponse | undefined {
  const response = latest.get(socket);
  return response?.req.complete ? response : undefined;
}

/**
 * Closes the answers that still waited behind others when their connection ended. Node emits no 'close' for them, and
 * whatever they hold would be held for ever.
 */
function closeWaiting(this: Socket): void {
  for (const response of byConnection.get(this) ?? []) {
    if (response.socket) continue;
    response.destroyed = true;
    response.emit('close');
  }
}
