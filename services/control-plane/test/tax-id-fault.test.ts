import t from 'tap';
import { taxIdFault } from '../src/billing/tax-id-fault.js';

t.test('VAT numbers are right by form and checksum, in every usual spelling', async (t) => {
  for (const [country, taxId] of [
    ['DE', 'DE 136 695 976'],
    ['AT', 'ATU13585627'],
    ['GB', 'XI980780684'],
    ['GR', 'EL094259216'],
    ['CH', 'CHE-116.281.710 MWST'],
    ['NO', 'NO 923 456 783 MVA'],
    ['FR', 'IE6433435F'],
    [null, 'it00743110157'],
  ] as const)
    t.equal(taxIdFault(taxId, country), null, taxId);
});

t.test('a number of another form, with a wrong digit or without its country is refused', async (t) => {
  t.equal(taxIdFault('DE136695970', 'DE'), 'has a digit that does not fit the others');
  t.equal(taxIdFault('DE13669597', 'DE'), 'does not look like a VAT number of DE');
  t.equal(taxIdFault('136695976', 'DE'), 'must begin with DE');
  t.equal(taxIdFault('094259216', 'GR'), 'must begin with EL');
  t.equal(taxIdFault('XX-not-a-vat', null), 'does not look like a tax id');
});

t.test('elsewhere any number of letters and digits passes', async (t) => {
  for (const [country, taxId] of [
    ['US', '12-3456789'],
    ['IN', '27AAPFU0939F1ZV'],
    ['MX', 'BRA850101AB1'],
    ['BR', '11.222.333/0001-81'],
  ] as const)
    t.equal(taxIdFault(taxId, country), null, taxId);
  t.equal(taxIdFault('none', 'US'), 'does not look like a tax id');
});
