import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import type { Guide } from './markdown.ts';

const DESCRIPTION_MAX = 160;

/** Writes each guide as a page of the application that holds its text too, for search engines and readers without scripts. */
export const guidePages = (guides: ReadonlyMap<string, Guide>): Plugin => ({
  name: 'guide-pages',
  apply: 'build',
  closeBundle() {
    const lost = lostLinks(guides);
    if (lost.length > 0) this.error(`no page under /docs for ${lost.join(', ')}`);
    const { root, build } = this.environment.config;
    const directory = resolve(root, build.outDir);
    const application = readFileSync(join(directory, 'index.html'), 'utf8');
    const links = [...guides]
      .map(([name, { title }]) => `<li><a href="/docs/${name}">${title}</a></li>`)
      .join('');
    mkdirSync(join(directory, 'docs'), { recursive: true });
    for (const [name, guide] of guides)
      writeFileSync(join(directory, 'docs', `${name}.html`), toPage(application, guide, links));
  },
});

const LINK = /href="\/docs\/([\w-]+)(?:#([\w-]+))?"/g;

/** Links of guides that lead to no page, or to no heading of it. */
const lostLinks = (guides: ReadonlyMap<string, Guide>): string[] =>
  [...guides].flatMap(([name, { html }]) =>
    [...html.matchAll(LINK)]
      .filter(([, to = '', id]) => {
        const sections = guides.get(to)?.sections;
        return to !== 'reference' && !(id ? sections?.some((section) => section.id === id) : sections);
      })
      .map(([link]) => `${link} of ${name}`),
  );

function toPage(application: string, { title, html, sections }: Guide, links: string): string {
  const description = (sections[0]?.text ?? '')
    .slice(0, DESCRIPTION_MAX)
    .replace(/[&<>"]/g, ' ')
    .trim();
  return application
    .replace(/<meta name="robots"[^>]*>/, () => `<meta name="description" content="${description}" />`)
    .replace('<title>Verdict</title>', () => `<title>${title} · Verdict</title>`)
    .replace(/(?<=<noscript>).*(?=<\/noscript>)/s, () => `<main>${html}<ul>${links}</ul></main>`);
}
