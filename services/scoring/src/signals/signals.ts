import { addressLiteral } from './address-literal.js';
import { disposableDomain } from './disposable-domain.js';
import { disposableDomainDisputed } from './disposable-domain-disputed.js';
import { disposableDomainSingleSource } from './disposable-domain-single-source.js';
import { disposableMx } from './disposable-mx.js';
import { disposableMxSingleSource } from './disposable-mx-single-source.js';
import { dnsIndeterminate } from './dns-indeterminate.js';
import { domainNotFound } from './domain-not-found.js';
import { freeProvider } from './free-provider.js';
import { freeSubdomain } from './free-subdomain.js';
import { homograph } from './homograph.js';
import { implicitMx } from './implicit-mx.js';
import { likelyTypo } from './likely-typo.js';
import { mxUnroutable } from './mx-unroutable.js';
import { noMx } from './no-mx.js';
import { noReply } from './no-reply.js';
import { nullMx } from './null-mx.js';
import { plusTag } from './plus-tag.js';
import { quotedLocal } from './quoted-local.js';
import { randomLocal } from './random-local.js';
import { relayDomain } from './relay-domain.js';
import { reservedDomain } from './reserved-domain.js';
import { riskyEnding } from './risky-ending.js';
import { roleAccount } from './role-account.js';
import { smsGateway } from './sms-gateway.js';
import { unestablishedRiskyEnding } from './unestablished-risky-ending.js';
import { unknownTld } from './unknown-tld.js';

/**
 * Every signal, in the order of the factors in an answer. Points are reasoned, not fitted; docs/scoring.md
 * has the precision and recall of every signal that can be measured.
 */
export const signals = [
  addressLiteral,
  reservedDomain,
  homograph,
  disposableDomain,
  disposableDomainSingleSource,
  disposableDomainDisputed,
  disposableMx,
  disposableMxSingleSource,
  mxUnroutable,
  nullMx,
  implicitMx,
  noMx,
  domainNotFound,
  unknownTld,
  likelyTypo,
  freeSubdomain,
  noReply,
  freeProvider,
  relayDomain,
  smsGateway,
  unestablishedRiskyEnding,
  riskyEnding,
  quotedLocal,
  roleAccount,
  randomLocal,
  plusTag,
  dnsIndeterminate,
] as const;

export type FactorCode = (typeof signals)[number]['code'];
