import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Hook of routes with large bodies or answers: a request waits for its account's turn and holds it until the answer was sent. */
export const inAccountTurn =
  ({ largeWork }: Pick<Dependencies, 'largeWork'>) =>
  ({ authenticated }: FastifyRequest, reply: FastifyReply): Promise<void> =>
    new Promise((begin, refuse) => {
      const signal = whileOpen(reply);
      const work = () => {
        begin();
        return new Promise<void>((end) => signal.addEventListener('abort', () => end()));
      };
      largeWork(authenticated?.account.id ?? '', work, { signal }).catch(refuse);
    });
