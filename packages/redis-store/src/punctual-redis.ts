import { Cluster, type ClusterNode, type Command, Redis, type RedisOptions } from 'ioredis';
import { timeCommand } from './time-command.js';
import { withoutPrinting } from './without-printing.js';

/** BullMQ duplicates a connection to block on it, for ten seconds at most: such a command may be silent for longer. */
const BLOCKING = { commandTimeout: 15_000, socketTimeout: 15_000 };
/** BullMQ gives a connection up for good if connecting fails once, unless the connection has begun before. */
const EAGER = { lazyConnect: false };

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Never sends a command that its caller believes has failed. ioredis keeps a command that timed out and sends it with
 * the next connection, even minutes later, when the note that makes the step idempotent is gone.
 */
export class PunctualRedis extends Redis {
  override sendCommand(command: Command, stream?: Stream): unknown {
    if (command.isSettled) return command.promise;
    const { commandTimeout } = this.options;
    if (commandTimeout !== undefined) timeCommand(command, commandTimeout);
    return super.sendCommand(command, stream);
  }

  override duplicate<Options extends Partial<RedisOptions> | undefined = undefined>(options?: Options) {
    return withoutPrinting(super.duplicate({ ...options, ...BLOCKING, ...EAGER } as Options));
  }
}

/**
 * The same for a cluster. Its nodes time a command only once one of them has it, so here the time starts with the
 * call, or a command without a node would wait for ever.
 */
export class PunctualCluster extends Cluster {
  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    if (command.isSettled) return command.promise;
    const timeoutMs = this.options.redisOptions?.commandTimeout;
    if (timeoutMs !== undefined) timeCommand(command, timeoutMs);
    return super.sendCommand(command, stream, node);
  }

  override duplicate<Options extends Parameters<Cluster['duplicate']>[1] = undefined>(
    nodes?: ClusterNode[],
    options?: Options,
  ) {
    const redisOptions = { ...this.options.redisOptions, ...options?.redisOptions, ...BLOCKING };
    return withoutPrinting(super.duplicate(nodes, { ...options, ...EAGER, redisOptions } as Options));
  }
}
