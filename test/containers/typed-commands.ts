/** The shell blocks of a page, or of one of its sections, without lines for Kubernetes and patterns. */
export function blocksOf(page: string, section?: string): string[] {
  const text = section === undefined ? page : sectionOf(page, section);
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .map(([, block = '']) =>
      block
        .split('\n')
        .filter((line) => !line.startsWith('kubectl ') && !line.includes('…'))
        .join('\n')
        .trim(),
    )
    .filter((block) => block !== '');
}

/** Commands within sentences, each once. */
export const inlineCommandsOf = (page: string): string[] => [
  ...new Set([...page.matchAll(/`((?:docker-compose|verdict) [^`…]+)`/g)].map(([, command = '']) => command)),
];

function sectionOf(page: string, title: string): string {
  const begin = page.indexOf(`\n## ${title}\n`);
  if (begin < 0) throw new Error(`the page has no section "${title}"`);
  const end = page.indexOf('\n## ', begin + 1);
  return page.slice(begin, end < 0 ? undefined : end);
}
