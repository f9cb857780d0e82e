import { Cluster, type ClusterNode, type Command, Redis, type RedisOptions } from 'ioredis';

/** BullMQ duplicates a connection to block on it, for ten seconds at most: such a command may be silent for longer. */
const BLOCKING = { commandTimeout: 15_000, socketTimeout: 15_000 };

type Stream = Parameters<Redis['sendCommand']>[1];

/**
 * Sends nothing that its caller has been told has failed. ioredis keeps a command that ran into its timeout and sends it
 * with the next connection, be that minutes later; a step that was written off would then be taken after all, and the
 * note that makes it harmless to take twice is gone by that time.
 */
export class PunctualRedis extends Redis {
  override sendCommand(command: Command, stream?: Stream): unknown {
    return command.isSettled ? command.promise : super.sendCommand(command, stream);
  }

  override duplicate<Options extends Partial<RedisOptions> | undefined = undefined>(options?: Options) {
    return super.duplicate({ ...options, ...BLOCKING } as Options);
  }
}

/**
 * The same for a cluster. Its nodes time a command only once one of them has it, so one that waits for any node at all
 * would wait for ever: here its time begins when it is asked for.
 */
export class PunctualCluster extends Cluster {
  override sendCommand(command: Command, stream?: Stream, node?: unknown): unknown {
    if (command.isSettled) return command.promise;
    const timeoutMs = this.options.redisOptions?.commandTimeout;
    if (timeoutMs !== undefined) command.setTimeout(timeoutMs);
    return super.sendCommand(command, stream, node);
  }

  override duplicate<Options extends Parameters<Cluster['duplicate']>[1] = undefined>(
    nodes?: ClusterNode[],
    options?: Options,
  ) {
    const redisOptions = { ...this.options.redisOptions, ...options?.redisOptions, ...BLOCKING };
    return super.duplicate(nodes, { ...options, redisOptions } as Options);
  }
}
