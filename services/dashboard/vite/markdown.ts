import { Marked, type Token } from 'marked';
import type { Plugin } from 'vite';

/** A guide as the pages show it; `sections` is what the search reads. */
export interface Guide {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly { readonly id: string; readonly heading: string; readonly text: string }[];
}

/** Imports a Markdown file as a `Guide`, so that no Markdown parser reaches the browser. */
export const markdown = (): Plugin => ({
  name: 'markdown',
  enforce: 'pre',
  transform: (source, id) =>
    id.endsWith('.md') ? `export default ${JSON.stringify(toGuide(source))}` : null,
});

export function toGuide(source: string): Guide {
  const sections: { id: string; heading: string; text: string }[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const id = idOf(text);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${href.replace(/^([\w-]+)\.md/, '/docs/$1')}">${this.parser.parseInline(tokens)}</a>`;
      },
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

const idOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

const textOf = ({ raw }: Token): string =>
  raw.replace(/[`*|#]|-{3,}|\]\([^)]*\)|\[/g, ' ').replace(/\s+/g, ' ');

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
