import type { Sso as SsoSettings } from '@verdict/contracts/dashboard/sso-api.js';
import { getQuery } from './get-query.ts';

export type Sso = SsoSettings;

export const SSO = ['sso'] as const;

export const ssoQuery = getQuery(SSO, 'GET /dashboard/sso/');
