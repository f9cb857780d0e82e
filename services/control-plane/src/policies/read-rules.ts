import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { PolicyFault } from '@verdict/domain/policy/policy-fault.js';
import { type ReadPolicy, readPolicy } from '@verdict/domain/policy/read-policy.js';
import { invalidField } from '@verdict/service-kit/errors.js';

/** The rules of a body, or a 400 that names the rule and the field. */
export function readRules(body: { readonly rules?: unknown; readonly note?: unknown }): ReadPolicy {
  try {
    return readPolicy({ rules: body.rules, note: body.note ?? null }, POLICY_LANGUAGE);
  } catch (error) {
    if (error instanceof PolicyFault) throw invalidField(error.field, error.message);
    throw error;
  }
}
