import type { Guide } from '../../../vite/markdown.ts';

export interface Found {
  readonly guide: string;
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
}

const FOUND_MAX = 8;
const EXCERPT_CHARS = 90;

/** Finds the sections that hold every word. Matches in a heading come first. */
export function findSections(guides: Readonly<Record<string, Guide>>, sought: string): Found[] {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const all = Object.entries(guides).flatMap(([guide, { title, sections }]) =>
    sections.map((section) => ({ guide, title, ...section })),
  );
  const inHeading = all.filter(({ heading }) => holds(heading));
  const inText = all.filter((one) => !inHeading.includes(one) && holds(`${one.heading} ${one.text}`));
  return [...inHeading, ...inText].slice(0, FOUND_MAX).map(({ guide, id, title, heading, text }) => ({
    guide,
    id,
    title: heading === title ? title : `${title}: ${heading}`,
    excerpt: excerptOf(text, words[0] ?? ''),
  }));
}

function excerptOf(text: string, word: string): string {
  const from = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT_CHARS / 3);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + EXCERPT_CHARS).trim()}`;
}
