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
