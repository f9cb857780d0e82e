import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Plans, parsePlans } from '@verdict/domain/plans.js';
import { Type } from 'typebox';
import { ConfigError } from './config.js';
import { messageOf } from './run-service.js';

export const PLANS_SETTING = {
  PLANS_FILE: Type.String({
    default: fileURLToPath(new URL('../../../../config/plans.json', import.meta.url)),
    description: 'Plans by name, as JSON',
  }),
};

export function readPlans(file: string): Plans {
  try {
    return parsePlans(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`PLANS_FILE ${file} is not usable: ${messageOf(error)}`);
  }
}
