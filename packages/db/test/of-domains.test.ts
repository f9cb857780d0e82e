import { createDatabase } from '@verdict/local-stack/create-database.js';
import t from 'tap';
import { ofDomains, ofDomainsAndBelow } from '../src/checks/of-domains.js';
import { connectDatabase } from '../src/database/client.js';
import { Prisma } from '../src/generated/client.js';

t.test(
  'a domain and all below it are found by one index, and nothing that only looks like them',
  async (t) => {
    const database = await createDatabase();
    const db = connectDatabase({ url: database.url, name: 'test' });
    t.teardown(async () => {
      await db.$disconnect();
      await database.drop();
    });
    const stored = [
      'a.test',
      'b.a.test',
      'c.b.a.test',
      'xa.test',
      'a.test.example',
      'bücher.example',
      'x.bücher.example',
    ];
    const createdAt = new Date();
    await db.checkSubject.createMany({
      data: stored.map((domain) => ({
        id: domain,
        accountId: 'acc',
        domain,
        emailHash: domain,
        reasons: [],
        createdAt,
      })),
    });
    // Enough others that reading them all would cost more than the index.
    await db.$executeRaw`INSERT INTO check_subjects (id, account_id, domain, email_hash, reasons, created_at)
    SELECT n, 'acc', n || '.example', n, '[]', ${createdAt} FROM generate_series(1, 20000) n`;
    await db.$executeRaw`ANALYZE check_subjects`;
    const find = async (condition: Prisma.Sql) => {
      const from = Prisma.sql`FROM check_subjects s WHERE s.account_id = 'acc' AND ${condition}`;
      const plan = await db.$queryRaw<{ 'QUERY PLAN': string }[]>`EXPLAIN SELECT s.domain ${from}`;
      const found = await db.$queryRaw<{ domain: string }[]>`SELECT s.domain ${from}`;
      const lines = plan.map((line) => line['QUERY PLAN']);
      const conditions = lines.filter((line) => line.includes('Index Cond'));
      t.ok(
        conditions.some((line) => line.includes('reverse(domain)')),
        lines.join('\n'),
      );
      return found.map(({ domain }) => domain).sort();
    };
    t.same(await find(ofDomains(['a.test', 'bücher.example'])), ['a.test', 'bücher.example']);
    t.same(await find(ofDomainsAndBelow(['a.test'])), ['a.test', 'b.a.test', 'c.b.a.test']);
    t.same(await find(ofDomainsAndBelow(['bücher.example', 'xa.test'])), [
      'bücher.example',
      'x.bücher.example',
      'xa.test',
    ]);
  },
);
