import { basename, join, relative } from 'node:path';
import { Marked, type Token } from 'marked';
import type { Plugin } from 'vite';

/** A guide as the pages show it; `sections` is what the search reads. */
export interface Guide {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly heading: string; readonly text: string }[];
}

/** Imports a Markdown file as a `Guide`, so that no Markdown parser reaches the browser, and notes it by its name. */
export const markdown = (guides: Map<string, Guide>): Plugin => ({
  name: 'markdown',
  enforce: 'pre',
  transform: (source, id) => {
    if (!id.endsWith('.md')) return null;
    const guide = toGuide(source);
    guides.set(nameOf(id), guide);
    return `export default ${JSON.stringify(guide)}`;
  },
});

const ROOT = join(import.meta.dirname, '../../..');

/** The last part of a guide's address. */
function nameOf(file: string): string {
  const path = relative(ROOT, file).replaceAll('\\', '/');
  return RENAMED[path] ?? basename(path, '.md').toLowerCase();
}

export function toGuide(source: string): Guide {
  const sections: { id: string; heading: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href);
        return address ? `<a href="${address}">${text}</a>` : text;
      },
      // Pictures of the repository are not served.
      image: ({ text }) => `<em>${escaped(text)}</em>`,
      // Reached by keyboard, because a long line scrolls inside it.
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  });
  const tokens = marked.lexer(source);
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ id: idOf(token.text), heading: token.text, text: '' });
    else {
      const section = sections.at(-1);
      if (section) section.text = `${section.text} ${textOf(token)}`.trim();
    }
  }
  return { title: sections[0]?.heading ?? '', html: marked.parser(tokens), sections };
}

/** Files whose page has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  'packages/sdk/README.md': 'node',
  'clients/python/README.md': 'python',
  'clients/php/README.md': 'php',
  'clients/better-auth/README.md': 'better-auth',
  'clients/recipes/README.md': 'recipes',
};
/** Files of clients/recipes, which the server hands out beside the clients. */
const RECIPE = /^[\w-]+\.(js|java|py|rb)$/;
/** Files for operators and contributors; they have no page under /docs. */
const ELSEWHERE = /^(dashboard-api|datasets|operations|runbook|CONTRIBUTING|notes|billing|bulk)$/;

/** The address of a link between files; null where the file has no page. */
function addressOf(href: string): string | null {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const [file = '', hash] = href.split('#');
  if (RECIPE.test(file)) return `/sdk/recipes/${file}`;
  const bare = file.replace(/^(\.\.\/)+/, '');
  const renamed = Object.keys(RENAMED).find((path) => bare.includes('/') && `/${path}`.endsWith(`/${bare}`));
  const name = renamed ? RENAMED[renamed] : /([\w-]+)\.md$/.exec(bare)?.[1];
  if (!name || ELSEWHERE.test(name)) return null;
  return `/docs/${name}${hash ? `#${hash}` : ''}`;
}

const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const textOf = ({ raw }: Token): string =>
  raw.replace(/[`*|#]|-{3,}|\]\([^)]*\)|\[/g, ' ').replace(/\s+/g, ' ');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
