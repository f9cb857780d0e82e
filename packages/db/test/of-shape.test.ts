import { domainShape } from '@verdict/domain/address/domain-shape.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { shapeOf } from '../src/checks/of-shape.js';
import { connectDatabase } from '../src/database/client.js';
import { text } from '../src/database/columns.js';
import { rowsOf } from '../src/database/rows-of.js';
import { Prisma } from '../src/generated/client.js';

const database = await createDatabase();
t.teardown(() => database.drop());
const db = connectDatabase({ url: database.url, name: 'test' });
t.teardown(() => db.$disconnect());

t.test('groups, filters and rules see one shape of a domain', async (t) => {
  // Every run of three of these, which has every turn between letters, digits and hyphens.
  const parts = ['a', 'zz', '0', '19', '-', 'x9', '7up'];
  const names = parts.flatMap((one) => parts.flatMap((two) => parts.map((three) => one + two + three)));
  const domains = names.flatMap((name) => [`${name}.xyz`, `mx1.${name}.co`, `${name}.xn--p1ai`]);
  const rows = await rowsOf(db, { domain: text, shape: text })`
    SELECT d.domain, ${shapeOf(Prisma.sql`d.domain`)} AS shape FROM unnest(${domains}::text[]) AS d(domain)`;
  t.equal(rows.length, domains.length);
  for (const { domain, shape } of rows) t.equal(shape, domainShape(domain), domain);
});
