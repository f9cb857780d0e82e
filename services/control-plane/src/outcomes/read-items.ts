import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { OutcomeItem } from '@verdict/contracts/outcomes-api.js';
import type { NewOutcome } from '@verdict/db/outcomes/outcomes.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashEmail } from '@verdict/domain/email-hash.js';

const LOG_ID = new RegExp(`^${idPattern('log')}$`);

interface ReadItems {
  /** By subject: of items about the same one, the last counts. */
  readonly said: readonly NewOutcome[];
  readonly errors: readonly { readonly item: number; readonly message: string }[];
}

/** Separates items that can be recorded from those that name no check and no address. */
export function readItems(items: readonly OutcomeItem[], hashSecret: string): ReadItems {
  const said = new Map<string, NewOutcome>();
  const errors: { item: number; message: string }[] = [];
  items.forEach(({ id, email, outcome, note = null }, position) => {
    const read = subjectOf(id, email, hashSecret);
    if (read.ok) said.set(read.subject, { subject: read.subject, outcome, note });
    else errors.push({ item: position + 1, message: read.message });
  });
  return { said: [...said.values()], errors };
}

type Read =
  | { readonly ok: true; readonly subject: string }
  | { readonly ok: false; readonly message: string };

function subjectOf(id: string | undefined, email: string | undefined, hashSecret: string): Read {
  if ((id === undefined) === (email === undefined))
    return { ok: false, message: 'must have either an id or an email' };
  if (id !== undefined)
    return LOG_ID.test(id)
      ? { ok: true, subject: id }
      : { ok: false, message: 'id: must be the log_id of a check' };
  const parsed = parseEmail(email ?? '');
  if (!parsed.ok) return { ok: false, message: `email: ${parsed.message}` };
  return { ok: true, subject: hashEmail(hashSecret, parsed.address.canonical) };
}
