import t from 'tap';
import { partyLines } from '../src/invoice-rows.js';

const BUYER = {
  name: 'Acme GmbH',
  address: 'Lange Straße 1\n10115 Berlin',
  tax_id: 'DE136695976',
  contact: 'billing@acme.example',
};

t.test('the addressee has the country in words, once, and the invoice email', async (t) => {
  const end = ['Tax id DE136695976', 'billing@acme.example'];
  const at = ['Acme GmbH', 'Lange Straße 1', '10115 Berlin'];
  t.strictSame(partyLines({ ...BUYER, country: 'DE' }), [...at, 'Germany', ...end]);
  const named = `${BUYER.address}\nGERMANY`;
  t.strictSame(partyLines({ ...BUYER, address: named, country: 'DE' }), [...at, 'GERMANY', ...end]);
  t.strictSame(partyLines(BUYER), [...at, ...end], 'documents of earlier releases');
});
