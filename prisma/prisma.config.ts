import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'migrations' },
  // `prisma generate` needs no database; operators who use `prisma migrate` bring their own DATABASE_URL.
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost/verdict' },
});
