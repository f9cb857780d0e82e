import { Type } from 'typebox';
import { DEFAULT_PLANS_FILE } from './plans-file.js';

export const PLANS_SETTING = {
  PLANS_FILE: Type.String({ default: DEFAULT_PLANS_FILE, description: 'Plans by name, as JSON' }),
};
