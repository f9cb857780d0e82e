import { domainShape } from '../address/domain-shape.js';
import { networkAround } from '../address/network-around.js';
import { parseMailDomain } from '../address/parse-mail-domain.js';
import type { Condition, Field, Language } from './policy.js';
import { PolicyFault } from './policy-fault.js';
import { readObject } from './read-object.js';

const KEY_ID = /^key_[0-9A-HJKMNP-TV-Z]{26}$/;
const ASN = /^(?:AS)?(0|[1-9]\d{0,9})$/i;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const IN_MAX = 200;

/** Reads one comparison. Domains, endings, countries and numbers of systems come back in the one spelling that checks have. */
export function readCondition(
  value: unknown,
  at: string,
  { fields, operators }: Pick<Language, 'fields' | 'operators'>,
): Condition {
  const given = readObject(value, at, ['field', 'op', 'value']);
  const { field: name, op } = given;
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof name !== 'string' || !field) throw new PolicyFault(`${at}.field`, 'is not a field of checks');
  if (typeof op !== 'string' || !Object.values(operators).flat().includes(op))
    throw new PolicyFault(`${at}.op`, `must be one of ${operators[field.type].join(', ')}`);
  if (!operators[field.type].includes(op)) {
    const types = Object.entries(operators).flatMap(([type, ops]) => (ops.includes(op) ? [type] : []));
    const [only] = types;
    const works = types.length === 1 ? `works on ${only} only` : `does not work on ${name}`;
    throw new PolicyFault(`${at}.op`, `"${op}" ${works}`);
  }
  return { field: name, op, value: readValue(given.value, `${at}.value`, op, field) };
}

function readValue(value: unknown, at: string, op: string, field: Field): Condition['value'] {
  if (op !== 'in') return readOne(value, at, op, field);
  if (!Array.isArray(value) || value.length === 0 || value.length > IN_MAX)
    throw new PolicyFault(at, `must be a list of 1 to ${IN_MAX} texts`);
  return value.map((one, i) => readText(one, `${at}[${i}]`, op, field));
}

function readOne(value: unknown, at: string, op: string, field: Field): Exclude<Condition['value'], object> {
  if (field.type === 'number') {
    const [least, most] = field.range ?? [0, Number.MAX_SAFE_INTEGER];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      throw new PolicyFault(at, `must be a whole number from ${least} to ${most}`);
    return value;
  }
  if (field.type === 'flag') {
    if (typeof value !== 'boolean') throw new PolicyFault(at, 'must be true or false');
    return value;
  }
  if (value === null && field.nullable) return null;
  return readText(value, at, op, field);
}

function readText(value: unknown, at: string, op: string, { type, values, form }: Field): string {
  if (typeof value !== 'string') throw new PolicyFault(at, 'must be a text');
  if (form === 'country') return readCountry(value, at, values);
  if (values && !values.includes(value)) throw new PolicyFault(at, `must be one of ${values.join(', ')}`);
  if (type === 'codes' && !CODE.test(value))
    throw new PolicyFault(at, 'must be the code of a factor, such as RELAY_DOMAIN');
  if (form === 'key' && !KEY_ID.test(value)) throw new PolicyFault(at, 'must be the id of an API key');
  if (form === 'asn') return readAsn(value, at);
  if (form === 'network') return readNetwork(value, at);
  if (form === 'ending') return readEnding(value, at);
  if (type !== 'domain' && type !== 'hosts' && form !== 'shape') return value;
  if (op === 'under' && !value.includes('.')) return readEnding(value, at);
  const parsed = parseMailDomain(value);
  if (!parsed.ok) throw new PolicyFault(at, `is not a domain (${parsed.message})`);
  return form === 'shape' ? domainShape(parsed.domain.ascii) : parsed.domain.ascii;
}

function readCountry(value: string, at: string, codes: readonly string[] = []): string {
  const code = value.toUpperCase();
  if (!codes.includes(code)) throw new PolicyFault(at, 'must be the ISO 3166 code of a country, such as DE');
  return code;
}

function readAsn(value: string, at: string): string {
  const [, number] = ASN.exec(value) ?? [];
  if (!number || Number(number) > 0xffff_ffff)
    throw new PolicyFault(at, 'must be the number of an autonomous system, such as AS64500');
  return `AS${number}`;
}

/** As wide as networks are grouped: a wider one belongs on a list. */
function readNetwork(value: string, at: string): string {
  const [address = '', length] = value.trim().split('/');
  const network = networkAround(address);
  if (network === null || (length !== undefined && network.split('/')[1] !== length))
    throw new PolicyFault(at, 'must be a network such as 203.0.113.0/24, or a /48 of IPv6');
  return network;
}

/** The last label of a domain, such as "com". */
function readEnding(value: string, at: string): string {
  const parsed = value.includes('.') ? null : parseMailDomain(`a.${value}`);
  if (!parsed?.ok) throw new PolicyFault(at, 'must be the ending of a domain without its dot, such as com');
  return parsed.domain.ascii.slice(2);
}
