import { readFileSync } from 'node:fs';
import { assetPath } from '@verdict/domain/asset-path.js';

type Pdf = PDFKit.PDFDocument;
export type Weight = 400 | 600;

/** Inter as Fontsource cuts it. Together they hold Latin, Greek, Cyrillic and Vietnamese. */
const SUBSETS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
/** Figures of one width, so that amounts align. */
const TABULAR: PDFKit.Mixins.TextOptions = { features: ['tnum'] };

interface Run {
  readonly font: string;
  readonly text: string;
}

interface Face {
  hasGlyphForCodePoint(codePoint: number): boolean;
}

declare global {
  namespace PDFKit {
    interface PDFDocument {
      /** The font in use with its parsed file; pdfkit has it, its types do not. */
      readonly _font: { readonly font: Face };
    }
  }
}

/**
 * Text in Inter, whatever the script: a line is cut into runs by the file that has its letters. A letter that none of
 * them has becomes a question mark; the HTML form of a document shows it.
 */
export function createType(pdf: Pdf) {
  const faces = new Map<string, Face>();

  function face(font: string): Face {
    const known = faces.get(font);
    if (known) return known;
    pdf.registerFont(font, readFileSync(assetPath(`fonts/inter-${font}-normal.woff`)));
    pdf.font(font);
    const parsed = pdf._font.font;
    faces.set(font, parsed);
    return parsed;
  }

  function fontOf(codePoint: number, weight: Weight): string | undefined {
    return SUBSETS.map((subset) => `${subset}-${weight}`).find((font) =>
      face(font).hasGlyphForCodePoint(codePoint),
    );
  }

  function runs(text: string, weight: Weight): Run[] {
    const found: { font: string; text: string }[] = [];
    for (const char of text.normalize('NFC')) {
      const font = fontOf(char.codePointAt(0) ?? 0, weight);
      const next = { font: font ?? `latin-${weight}`, text: font ? char : '?' };
      const last = found.at(-1);
      if (last?.font === next.font) last.text += next.text;
      else found.push(next);
    }
    return found;
  }

  const widthOf = (text: string, size: number, weight: Weight): number =>
    runs(text, weight).reduce(
      (width, run) => width + pdf.font(run.font).fontSize(size).widthOfString(run.text, TABULAR),
      0,
    );

  return {
    widthOf,

    /** One line with its left edge at x, or its right edge when `right` is set. */
    line(
      text: string,
      x: number,
      y: number,
      { size = 9.5, weight = 400 as Weight, color = '#111', right = false } = {},
    ): void {
      let at = right ? x - widthOf(text, size, weight) : x;
      for (const run of runs(text, weight)) {
        pdf
          .font(run.font)
          .fontSize(size)
          .fillColor(color)
          .text(run.text, at, y, { ...TABULAR, lineBreak: false });
        at += pdf.widthOfString(run.text, TABULAR);
      }
    },

    /** Cuts text into lines that fit a width, between words; a word that is too long is cut. */
    wrap(text: string, width: number, size = 9.5, weight: Weight = 400): string[] {
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(/\s+/).flatMap((word) => cut(word, width, size, weight))) {
        const longer = line ? `${line} ${word}` : word;
        if (line && widthOf(longer, size, weight) > width) {
          lines.push(line);
          line = word;
        } else line = longer;
      }
      return line ? [...lines, line] : lines;
    },
  };

  function cut(word: string, width: number, size: number, weight: Weight): string[] {
    if (widthOf(word, size, weight) <= width) return [word];
    const parts: string[] = [];
    let part = '';
    for (const char of word) {
      if (part && widthOf(part + char, size, weight) > width) {
        parts.push(part);
        part = '';
      }
      part += char;
    }
    return [...parts, part];
  }
}

export type Type = ReturnType<typeof createType>;
