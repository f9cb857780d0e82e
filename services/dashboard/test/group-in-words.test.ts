import t from 'tap';
import { groupInWords } from '../src/pages/playground/group-in-words.ts';

t.test('groups of signals are said in words', async (t) => {
  t.equal(
    groupInWords({ mailbox: 3, domain: 1, shape: null, ip: 16 }),
    '3 spellings of the mailbox, 1 mailbox at the domain, 16 or more mailboxes from the IP',
  );
  t.equal(
    groupInWords({ kind: 'hosting', country: 'DE', asn: 24940, organisation: 'Hetzner' }),
    'Hosting provider, Germany (DE), AS24940, Hetzner',
  );
  t.equal(
    groupInWords({ hosts: ['mx1.example.net', 'mx2.example.net'] }),
    'hosts mx1.example.net mx2.example.net',
  );
});
