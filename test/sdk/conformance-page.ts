import { inRoot } from '@verdict/local-stack/paths.js';
import { readCases } from '@verdict/sdk-conformance/read-cases.js';
import type { Findings } from '@verdict/sdk-conformance/run-suite.js';
import { markdownTable } from '../docs/markdown-table.js';

export const CONFORMANCE_PAGE = 'docs/conformance.md';

/** The page that says which client passed which case, from a run. */
export function conformancePage(found: ReadonlyMap<string, Findings>): string {
  const clients = [...found.keys()];
  const mark = (findings: Findings | undefined, name: string): string => {
    const wrong = findings?.get(name);
    if (!wrong) return '-';
    return wrong.length === 0 ? 'passes' : 'fails';
  };
  const sections = readCases(inRoot('packages/sdk-conformance/data')).map(({ subject, cases }) => {
    const rows = cases.map(({ name }) => [
      name.replaceAll('|', '\\|'),
      ...clients.map((client) => mark(found.get(client), name)),
    ]);
    const title = `${subject[0]?.toUpperCase()}${subject.slice(1)}`;
    return `## ${title}\n${markdownTable(['case', ...clients], rows)}`;
  });
  return `# Conformance

\`npm run docs:clients\` runs every client against a server that misbehaves and writes this page. A dash marks a case with concurrent requests, which one
PHP process does not make.

${sections.join('\n')}`;
}
