import {
  IPS_PATH,
  type IpsReply,
  type IpsRequest,
  IpsRequestSchema,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

export function ipsRoute(app: FastifyInstance, { datasets, ipOrigins }: Dependencies): void {
  app.post<{ Body: IpsRequest }>(
    IPS_PATH,
    { schema: { body: IpsRequestSchema } },
    async (request): Promise<IpsReply> => {
      const { ipNetworks } = datasets.current();
      const origins = ipOrigins.current();
      return {
        networks: request.body.ips.map((ip) => ({ kind: ipNetworks.kindOf(ip), ...origins.originOf(ip) })),
      };
    },
  );
}
