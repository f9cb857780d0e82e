import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyReply } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Reads a page of a download, now or in turn. */
export type PageTurn = <T>(read: () => Promise<T>, isUnderWay: boolean) => Promise<T>;

/** The turns of a download: its first page at once, and each that follows in the account's turn, because a whole account may be long. */
export function downloadTurns(
  { largeWork }: Pick<Dependencies, 'largeWork'>,
  accountId: string,
  reply: FastifyReply,
): PageTurn {
  const signal = whileOpen(reply);
  return (read, isUnderWay) => (isUnderWay ? largeWork(accountId, read, { signal, isUnderWay }) : read());
}
