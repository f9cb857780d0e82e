import { readFileSync } from 'node:fs';
import { assetPath } from '@verdict/domain/asset-path.js';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { ConfigError } from './config-error.js';
import { messageOf } from './run-service.js';

export const DEFAULT_PLANS_FILE = assetPath('plans.json');

export function readPlans(file: string): Plans {
  try {
    return parsePlans(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`PLANS_FILE ${file} is not usable: ${messageOf(error)}`);
  }
}
