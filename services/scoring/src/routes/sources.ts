import {
  SOURCES_PATH,
  type SourcesReply,
  type SourcesRequest,
  SourcesRequestSchema,
} from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

/** Names the sources that list domains as disposable. Reads the loaded lists only, so it asks no name server. */
export function sourcesRoute(app: FastifyInstance, { datasets }: Dependencies): void {
  app.post<{ Body: SourcesRequest }>(
    SOURCES_PATH,
    { schema: { body: SourcesRequestSchema } },
    async (request): Promise<SourcesReply> => {
      const { disposable, disposableSources } = datasets.current();
      const namesOf = (domain: string) => {
        const bits = disposable.listings(domain).reduce((all, { sources }) => all | sources, 0);
        return disposableSources.filter((_, bit) => (bits >>> bit) & 1).map(({ name }) => name);
      };
      return { sources: request.body.domains.map(namesOf) };
    },
  );
}
