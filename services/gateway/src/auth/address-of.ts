import { ipDigits } from '@verdict/domain/address/ip-network.js';
import type { FastifyRequest } from 'fastify';

/** Where a request comes from, for a key that may be used from some networks only. Worked out when it is asked for. */
export const addressOf = (request: FastifyRequest) => (): string => ipDigits(request.ip);
