import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Clients of ours ask one after the other; a connection that asks far ahead is ended. */
const PIPELINED_MAX = 16;

/** Answers due on a connection. Kept on the socket, because every request reads them and a map of sockets costs more. */
const DUE = Symbol('due');

interface Due {
  open: number;
  latest: ServerResponse;
  /** Answers that were noted behind others; only a connection that asks ahead has some. */
  readonly behind: ServerResponse[];
}

interface FollowedSocket extends Socket {
  [DUE]?: Due;
}

/**
 * Notes an answer that is due on a connection, and returns the one before it that is due as well. The caller calls
 * `noteAnswered` once it is closed.
 */
export function noteUnanswered(socket: FollowedSocket, response: ServerResponse): ServerResponse | undefined {
  const due = socket[DUE];
  if (!due) {
    socket[DUE] = { open: 1, latest: response, behind: [] };
    socket.once('close', closeWaiting);
    return undefined;
  }
  const before = due.open > 0 ? due.latest : undefined;
  due.open++;
  due.latest = response;
  if (!before) return undefined;
  due.behind.push(response);
  if (due.open > PIPELINED_MAX) socket.destroy();
  return before;
}

export function noteAnswered(socket: FollowedSocket, response: ServerResponse): void {
  const due = socket[DUE];
  if (!due) return;
  due.open--;
  if (due.behind.length > 0) due.behind.splice(due.behind.indexOf(response) >>> 0, 1);
}

/**
 * Calls `begin` when the answer before has left, and never if the connection ends first. Requests handled ahead of their
 * turn would take time and memory from other connections.
 */
export function afterAnswer(before: ServerResponse, begin: () => void): void {
  before.once('close', () => before.req.socket.destroyed || begin());
}

/** The latest request of a connection that has arrived as a whole. */
export function latestWhole(socket: FollowedSocket): ServerResponse | undefined {
  const response = socket[DUE]?.latest;
  return response?.req.complete ? response : undefined;
}

/**
 * Closes the answers that still waited behind others when their connection ended. Node emits no 'close' for them, and
 * whatever they hold would be held for ever.
 */
function closeWaiting(this: FollowedSocket): void {
  for (const response of [...(this[DUE]?.behind ?? [])]) {
    if (response.socket) continue;
    response.destroyed = true;
    response.emit('close');
  }
}
