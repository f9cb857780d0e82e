import type { Datasets } from '@verdict/contracts/datasets.js';
import { DATASETS_PATH } from '@verdict/contracts/scoring-api.js';
import type { FastifyInstance } from 'fastify';
import type { Dependencies } from '../dependencies.js';

export function datasetsRoute(app: FastifyInstance, { datasets }: Dependencies): void {
  app.get(DATASETS_PATH, async (): Promise<Datasets> => datasets.current().versions);
}
