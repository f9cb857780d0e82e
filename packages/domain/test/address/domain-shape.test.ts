import fc from 'fast-check';
import t from 'tap';
import { domainShape } from '../../src/address/domain-shape.js';

t.test('domains that a program makes up have one shape, with the ending as it is', async (t) => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'abc.com': ['gmail.com', 'zkqjdkd.com'],
    'abc123.xyz': ['mail7.xyz', 'bonus2026.xyz'],
    '123abc.top': ['7mail.top', '0clickemail.top'],
    '123.top': ['10.top', '027168.top'],
    'a1b2.site': ['x9k2m4.site', 'a1b.site', '1a2.site'],
    'abc-abc.abc.net': ['my-shop.mail.net'],
    'abc123.abc.co': ['mx1.hosts.co'],
  };
  for (const [shape, domains] of Object.entries(cases))
    for (const domain of domains) t.equal(domainShape(domain), shape, domain);
});

t.test('the shape of a shape is itself, so people may type either', async () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9-]{1,12}(\.[a-z0-9-]{1,12}){1,3}$/), (domain) => {
      const shape = domainShape(domain);
      return domainShape(shape) === shape;
    }),
  );
});
