import { type Body, call } from './call.ts';

export const check = (body: Body<'POST /check/'>) =>
  call('POST /check/', { query: { expand: 'signals,breakdown' }, body });
