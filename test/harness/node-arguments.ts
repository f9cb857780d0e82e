/**
 * For processes that live as long as a test. Prisma's query compiler is WebAssembly, and by default it is compiled a
 * second time, optimised, for which nothing here runs long enough: 2.4 s of CPU for an account to be seeded, 1.6 s
 * without. What it computes is the same.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--enable-source-maps', '--liftoff-only'];
