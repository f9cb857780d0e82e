import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { ConfigError } from './config-error.js';
import { messageOf } from './run-service.js';

export const DEFAULT_PLANS_FILE = fileURLToPath(new URL('../../../../config/plans.json', import.meta.url));

export function readPlans(file: string): Plans {
  try {
    return parsePlans(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`PLANS_FILE ${file} is not usable: ${messageOf(error)}`);
  }
}
