import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { LIST_CODES } from '@verdict/domain/account-list.js';
import type { LogDetail } from '../../api/logs.ts';
import type { Condition, Rule } from '../../api/policies.ts';

const OWN_LISTS: readonly string[] = Object.values(LIST_CODES);

/** A rule that matches a check by what raised its score and by its kind of network, to be narrowed by hand. */
export function ruleLike(
  { factors, email }: Pick<LogDetail, 'factors' | 'email'>,
  ipKind: string | null,
): Rule {
  const codes = factors.filter(({ code, points }) => points > 0 && !OWN_LISTS.includes(code));
  const found: Condition[] = [
    ...codes.map(({ code }) => ({ field: 'codes', op: 'has', value: code })),
    ...(ipKind ? [{ field: 'ip.kind', op: 'eq', value: ipKind }] : []),
  ];
  const domain = email?.slice(email.lastIndexOf('@') + 1) ?? '';
  const all = found.length > 0 ? found : [{ field: 'domain', op: 'eq', value: domain }];
  const name = `Like ${email ?? 'an erased address'}`.slice(0, POLICY_LANGUAGE.limits.nameChars);
  return { name, when: { all }, then: { at_least: 'challenge' } };
}
