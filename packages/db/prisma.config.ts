import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: '../../prisma/schema.prisma',
  migrations: { path: '../../prisma/migrations' },
  // `prisma generate` needs no database; operators who use `prisma migrate` bring their own DATABASE_URL.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost/verdict' },
});
