import { drawInAscii } from './look-alike-letters.js';
import { MIXTURE_FAULT, TWIN_FAULT } from './parse-local-part.js';
import { NO_DOT_FAULT } from './parse-mail-domain.js';
import { allProviders } from './provider-domains.js';

interface Refusal {
  readonly ok: false;
  readonly message: string;
  readonly suggestion?: string;
}

const MAILTO = 'mailto:';

/** A provider's domain as it looks when its dots were not typed. */
const withoutDots = new Map(allProviders().map((domain) => [domain.replaceAll('.', ''), domain]));

/**
 * Refusals caused by pasting or a typo get a specific sentence, with the intended address if it is clear. `isAddress`
 * keeps a suggestion from being wrong itself.
 */
export function explainRefusal(text: string, message: string, isAddress: (text: string) => boolean): Refusal {
  if (text.slice(0, MAILTO.length).toLowerCase() === MAILTO) {
    const [meant = ''] = text.slice(MAILTO.length).split('?');
    return suggest('send only the address, without mailto: before it', meant, isAddress);
  }
  const open = text.lastIndexOf('<');
  if (open !== -1 && text.endsWith('>') && text.indexOf('@', open) !== -1) {
    const meant = text.slice(open + 1, -1);
    return suggest('send only the address, without a name or angle brackets around it', meant, isAddress);
  }
  if (message === NO_DOT_FAULT) {
    const at = text.lastIndexOf('@');
    const domain = withoutDots.get(text.slice(at + 1).toLowerCase());
    if (domain !== undefined) return suggest(message, `${text.slice(0, at)}@${domain}`, isAddress);
  }
  if (message === MIXTURE_FAULT || message === TWIN_FAULT) {
    const at = text.lastIndexOf('@');
    const plain = drawInAscii(text.slice(0, at).toLowerCase());
    if (plain !== undefined) return suggest(message, `${plain}${text.slice(at)}`, isAddress);
  }
  return { ok: false, message };
}

function suggest(message: string, meant: string, isAddress: (text: string) => boolean): Refusal {
  if (!isAddress(meant)) return { ok: false, message };
  return { ok: false, message: `${message}: did you mean ${meant}?`, suggestion: meant };
}
