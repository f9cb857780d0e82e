import type { CheckBody, CheckResult } from '@verdict/contracts/check-api.js';
import { request } from './request.ts';

export const check = (body: CheckBody) =>
  request<CheckResult>('/check/', {
    method: 'POST',
    query: { expand: 'signals,breakdown' },
    json: body,
  });
