import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import t from 'tap';
import { packBatch } from '../src/pack-batch.js';
import type { Candidate } from '../src/submission.js';

const CALLER = { accountId: 'acc_1', keyId: 'key_1', credential: 'c' };
const CHECK: Candidate = {
  id: 'log_1',
  email: 'jane@example.com',
  canonical: 'jane@example.com',
  ip: null,
  normalIp: '',
  verdict: sampleVerdict(),
};
const bytesOf = (check: Candidate): number =>
  JSON.stringify(packBatch([{ caller: CALLER, requestId: 'req_1', checks: [check] }])).length;

t.test('the job of a check without a tag has no byte for one', async (t) => {
  t.equal(bytesOf({ ...CHECK, tag: undefined }), bytesOf(CHECK));
  t.equal(bytesOf({ ...CHECK, tag: 'sign-up' }), bytesOf(CHECK) + ',"tag":"sign-up"'.length);
});
