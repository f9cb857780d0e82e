/** The name of a tool in `dist/tools`: `packages/domain/test/id.test.ts` is `packages.domain.test.id.test`. @param {string} file */
export const programName = (file) => file.replace(/\.(ts|mjs)$/, '').replaceAll('/', '.');
