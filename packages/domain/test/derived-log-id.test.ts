import t from 'tap';
import { addressHash } from '../src/address/address-hash.js';
import { derivedLogId } from '../src/derived-log-id.js';
import { timeOfId } from '../src/id.js';

t.test('the log id of an address is the same whoever derives it, and no other address has it', async (t) => {
  const ms = Date.UTC(2026, 10, 15, 12);
  const id = derivedLogId(ms, 'job_A', 7);
  t.match(id, /^log_[0-9A-HJKMNP-TV-Z]{26}$/);
  t.equal(derivedLogId(ms, 'job_A', 7), id);
  t.equal(timeOfId(id), ms);
  const many = new Set<string>();
  for (const job of ['job_A', 'job_B']) for (let i = 0; i < 5_000; i++) many.add(derivedLogId(ms, job, i));
  t.equal(many.size, 10_000);
});

t.test('spellings of a mailbox have one hash, of the form of a UUID', async (t) => {
  t.match(addressHash('jane@example.com'), /^[0-9a-f]{32}$/);
  t.equal(addressHash('Jane@example.com'), addressHash('jane@example.com'));
  t.not(addressHash('june@example.com'), addressHash('jane@example.com'));
});
