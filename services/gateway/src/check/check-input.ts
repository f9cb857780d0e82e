import { type CheckBody, EXPANSIONS, type Expansion } from '@verdict/contracts/check-api.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { normalIp } from '@verdict/domain/address/normal-ip.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { tagFault } from '@verdict/domain/check-tag.js';
import type { FieldError } from '@verdict/service-kit/app-error.js';
import { invalidField } from '@verdict/service-kit/errors.js';

/** A body that has passed every rule. */
export interface CheckInput {
  readonly address: EmailAddress;
  /** As sent, trimmed: what is echoed and logged. */
  readonly ip: string | null;
  /** In its one normal form: what lists are matched with. */
  readonly normalIp: string;
  /** The customer's label for the check. */
  readonly tag: string | undefined;
}

/** The input, or the field that is wrong. */
export function parseCheckInput(body: {
  readonly email: string;
  readonly ip?: string | null | undefined;
  readonly tag?: string | null | undefined;
}): CheckInput | FieldError {
  const email = parseEmail(body.email);
  if (!email.ok) {
    const { message, suggestion } = email;
    return { field: 'email', message, ...(suggestion !== undefined && { suggestion }) };
  }
  const { address } = email;
  const tag = body.tag ?? undefined;
  const fault = tag === undefined ? undefined : tagFault(tag);
  if (fault !== undefined) return { field: 'tag', message: fault };
  if (body.ip === undefined || body.ip === null) return { address, ip: null, normalIp: '', tag };
  const ip = parseIp(body.ip);
  if (!ip.ok) return { field: 'ip', message: ip.message };
  return { address, ip: ip.ip.text, normalIp: normalIp(ip.ip), tag };
}

export function readCheckInput(body: CheckBody): CheckInput {
  const read = parseCheckInput(body);
  if ('field' in read) throw invalidField(read.field, read.message, read.suggestion);
  return read;
}

const NONE: ReadonlySet<Expansion> = new Set();

export function readExpansions(query: string | undefined): ReadonlySet<Expansion> {
  if (query === undefined) return NONE;
  const wanted = query.split(',').map((name) => name.trim());
  for (const name of wanted) {
    if (!EXPANSIONS.includes(name as Expansion))
      throw invalidField('expand', `must be ${EXPANSIONS.join(', ')} or both`);
  }
  return new Set(wanted as Expansion[]);
}
