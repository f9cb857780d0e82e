import type { Mail } from './mail.js';
import { mailText } from './mail-texts.js';

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: { filename: string; content: Buffer | string }[];
}

/** A mail in its two forms, which say the same. */
export function renderMail(mail: Mail, publicUrl: string): RenderedMail {
  const { subject, paragraphs, action, end } = mailText(mail, publicUrl.replace(/\/+$/, ''));
  const text = [...paragraphs, ...(action ? [`${action.label}:\n${action.link}`] : []), end, '-- \nVerdict'];
  const html = [
    ...paragraphs.map(paragraph),
    ...(action ? [`<p><a href="${escaped(action.link)}">${escaped(action.label)}</a></p>`] : []),
    ...(action ? [`<p>${escaped(action.link)}</p>`] : []),
    paragraph(end),
  ];
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>\n<body>\n${html.join('\n')}\n</body></html>\n`,
  };
}

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

/** Names of keys and devices are user input. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
