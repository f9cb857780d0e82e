import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Lets a request of a route that takes much wait for its account's turn, and hold it until the answer was sent. */
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
