import type { FastifyRequest } from 'fastify';

/** The account that the credentials of a request belong to, as far as they were verified. */
export const accountOf = ({ credentials }: FastifyRequest): string | undefined =>
  credentials?.key?.accountId ?? credentials?.token?.acc;
