import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IP_KINDS } from '@verdict/contracts/ip-network.js';
import { contractFlags, expandedFlags, expandedTexts } from '@verdict/contracts/signal-flags.js';
import { burstRules } from '@verdict/domain/burst-rules.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import type { Example } from '@verdict/scoring/signals/signal.js';
import { signals } from '@verdict/scoring/signals/signals.js';
import { ROOT } from '../architecture/source-files.js';
import { clientTypes } from './client-types.js';
import { fillPage } from './fill-page.js';
import { markdownTable } from './markdown-table.js';

/** Every file that repeats the tables of signals and flags, with its text as it should be. */
export function signalPages(): Record<string, string> {
  const weights = markdownTable(
    ['Code', 'Kind', 'Points', 'Flag', 'Why'],
    signals.map(({ code, kind, points, flag, why }) => [
      named(code),
      kind,
      points,
      flag ? named(flag) : '',
      why,
    ]),
  );
  const examples = markdownTable(
    ['Address', 'DNS', 'Score', 'Decision', 'Factors'],
    signals.flatMap((signal) => signal.examples.filter(hasSeveralFactors).map(exampleRow)),
  );
  const flags = Object.keys(expandedFlags).map(named).join(', ');
  return {
    'docs/guides/quickstart.md': fillPage(
      read('docs/guides/quickstart.md'),
      '| `?expand=signals`   | ',
      flags,
      ', a `suggestion`',
    ),
    'docs/scoring.md': fillPage(
      fillPage(read('docs/scoring.md'), '<!-- weights -->', weights, '<!-- /weights -->'),
      '<!-- examples -->',
      examples,
      '<!-- /examples -->',
    ),
    'packages/sdk/src/answers.ts': clientTypes(),
    'clients/python/verdict/signals.py': pythonType(),
    'packages/contracts/src/factor-codes.ts': factorCodes(),
  };
}

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const named = (name: string): string => `\`${name}\``;

/** Only these show how factors add up; the others would repeat a row of the weights. */
const hasSeveralFactors = ({ factors }: Example): boolean => factors.includes(',');

function exampleRow({ email, mail, factors, note }: Example): (string | number)[] {
  const score = [...factors.matchAll(/\d+/g)].reduce((sum, [points]) => sum + Number(points), 0);
  const shown = note === undefined ? factors : `${factors} (${note})`;
  return [named(email), dnsWords(mail), score, decisionForScore(score), shown];
}

function dnsWords(mail: Example['mail']): string {
  if (mail === 'not asked') return mail;
  if (mail.kind === 'mx') return mail.routable ? `MX at ${mail.hosts.join(', ')}` : 'MX to a private address';
  return {
    null_mx: 'null MX',
    implicit_mx: 'A only',
    no_mail: 'no records',
    not_found: 'NXDOMAIN',
    unknown: 'no answer',
  }[mail.kind];
}

function factorCodes(): string {
  const codes = [...signals, ...burstRules].map(({ code }) => `  '${code}',\n`).join('');
  return `// Written by npm run docs:signals.

/** Every code that scoring and repetitions give a factor, for completion in the rules of policies. */
export const FACTOR_CODES = [\n${codes}] as const;\n`;
}

function pythonType(): string {
  const line = (name: string, type: string, description: string) =>
    `    # ${description}.\n    ${name}: ${type}\n`;
  const flagLines = (flags: Readonly<Record<string, { readonly description: string }>>) =>
    Object.entries(flags).map(([name, { description }]) => line(name, 'bool', description));
  const { suggestion, mailbox, seen, mx, ip } = expandedTexts;
  const texts = [
    line('suggestion', 'Optional[str]', suggestion.description),
    line('mailbox', 'str', mailbox.description),
    line('seen', 'Dict[Literal["mailbox", "domain", "shape", "ip"], Optional[int]]', seen.description),
    line('mx', 'Optional[MailServers]', mx.description),
    line('ip', 'IpOrigin', ip.description),
  ];
  const kinds = IP_KINDS.map((kind) => `"${kind}"`).join(', ');
  return `"""Written by npm run docs:signals."""

from __future__ import annotations

from typing import Dict, List, Literal, Optional, TypedDict


class MailServers(TypedDict):
    operator: str
    hosts: List[str]


class IpOrigin(TypedDict):
    kind: Optional[Literal[${kinds}]]
    country: Optional[str]
    asn: Optional[int]
    organisation: Optional[str]


class Signals(TypedDict, total=False):
    """Empty when the fallback stands in."""

${flagLines(contractFlags).join('')}    # What follows comes only with expand=["signals"].
${[...flagLines(expandedFlags), ...texts].join('')}`;
}
