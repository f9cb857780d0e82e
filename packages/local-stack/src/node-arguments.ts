/**
 * For processes that live as long as a test. Prisma's query compiler is WebAssembly, and by default it is compiled a
 * second time, optimised, for which nothing here runs long enough: 2.4 s of CPU for an account to be seeded, 1.6 s
 * without. What it computes is the same.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--enable-source-maps', '--liftoff-only'];

/**
 * As in the Dockerfile: the young generation keeps its size. Left alone it is cut to an eighth in a quiet minute and
 * grows back in steps over half an hour, and so would the memory that an operator sees.
 */
export const LASTING_ARGUMENTS: readonly string[] = ['--min-semi-space-size=16'];
