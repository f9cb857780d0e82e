import { escapeHtml } from './escape-html.js';

/** Elements by name in their order. `@name` is an attribute, `#` the text beside attributes; null and undefined are left out. */
export interface XmlElement {
  readonly [name: string]: XmlValue;
}
type XmlValue = string | null | undefined | XmlElement | readonly XmlElement[];

/** XML 1.0 has no place for them, not even escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const textOf = (text: string): string => escapeHtml(text.replaceAll(UNPRINTABLE, ''));

export function xmlOf(elements: XmlElement): string {
  return Object.entries(elements)
    .filter(([name]) => !name.startsWith('@'))
    .map(([name, value]) => {
      if (value === null || value === undefined) return '';
      if (name === '#') return textOf(value as string);
      if (Array.isArray(value)) return value.map((one: XmlElement) => xmlOf({ [name]: one })).join('');
      if (typeof value === 'string') return `<${name}>${textOf(value)}</${name}>`;
      const element = value as XmlElement;
      return `<${name}${attributesOf(element)}>${xmlOf(element)}</${name}>`;
    })
    .join('');
}

const attributesOf = (element: XmlElement): string =>
  Object.entries(element)
    .filter(([name]) => name.startsWith('@'))
    .map(([name, value]) => ` ${name.slice(1)}="${textOf(value as string)}"`)
    .join('');
