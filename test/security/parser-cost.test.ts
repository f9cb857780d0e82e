import { checkPart } from '@verdict/datasets/sources/check-part.js';
import { canonicalOf } from '@verdict/domain/address/canonical-of.js';
import { emailSpellings } from '@verdict/domain/address/email-spellings.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { parseAddressLiteral } from '@verdict/domain/address/parse-address-literal.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { parseLocalPart } from '@verdict/domain/address/parse-local-part.js';
import { parseMailDomain } from '@verdict/domain/address/parse-mail-domain.js';
import { isWellFormedApiKey } from '@verdict/domain/api-key.js';
import { parseListValue } from '@verdict/domain/list-value.js';
import { parseAmount, parseRate } from '@verdict/domain/money.js';
import { webhookPolicy } from '@verdict/domain/webhook-address.js';
import { parseWebhookUrl } from '@verdict/domain/webhook-url.js';
import t from 'tap';
import { readSources } from '../architecture/source-files.js';

/** All of them run on the one thread that answers everybody. */
const CPU_MS_MAX = 25;
const CHARS = 1_000_000;
const policy = webhookPolicy('', 'never');
const source = { feeds: 'disposable_domains', name: 'x' } as unknown as Parameters<typeof checkPart>[0];

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  parseAddressLiteral,
  parseAmount: (text) => parseAmount(text, 'EUR'),
  parseEmail,
  parseIp,
  parseIpNetwork,
  parseListValue,
  parseLocalPart,
  parseMailDomain,
  parseRate,
  parseWebhookUrl: (text) => parseWebhookUrl(text, policy),
  // Not named so, but given what strangers write.
  canonicalOf,
  emailSpellings,
  isWellFormedApiKey,
  checkPart: (text) =>
    checkPart(source, { names: [text] } as unknown as Parameters<typeof checkPart>[1], {
      namesBefore: undefined,
      relays: new Set(),
      swingAccepted: false,
    }),
};

const many = (piece: string) => piece.repeat(Math.ceil(CHARS / piece.length));
const han = Array.from({ length: CHARS / 3 }, (_, i) =>
  String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)),
).join('');
const PIECES = [
  'a',
  '.',
  'a.',
  '@',
  'a@',
  '-',
  'xn--',
  '1',
  '1.',
  ':',
  '[',
  '%',
  '%41',
  '"',
  '\\',
  '(',
  '/',
  ' ',
  '\t',
  '\u0301',
  '\u00ad',
  '\u{1f600}',
  '\ud800',
  'ß',
  'а',
  '١',
  'http://a@',
];
const ENDS = ['.com', '@example.com', ''];

/** Returns the time it takes; of a long one the least of three, because garbage collection adds to it. */
function cpuMs(parse: (text: string) => unknown, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least >= CPU_MS_MAX; i++) {
    const before = process.cpuUsage();
    parse(text);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** As it comes from a socket, not as the pieces that it was put together from. */
const flat = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

t.test('no parser of a single value takes long for a megabyte of anything', async (t) => {
  const worst = new Map(Object.keys(PARSERS).map((name) => [name, { ms: 0, of: '' }]));
  for (const body of [...PIECES.map(many), han]) {
    for (const text of [...ENDS.map((end) => body + end), `a@${body}.com`, `https://${body}.com/`].map(
      flat,
    )) {
      for (const [name, parse] of Object.entries(PARSERS)) {
        const ms = cpuMs(parse, text);
        if (ms > (worst.get(name)?.ms ?? 0)) worst.set(name, { ms, of: text.slice(0, 12) });
      }
    }
  }
  for (const [name, { ms, of }] of worst) {
    t.ok(ms < CPU_MS_MAX, `${name}: ${ms.toFixed(1)} ms for ${JSON.stringify(of)}…`);
  }
});

/** Plans are read once, from a file of the operator. */
t.test('every parser of what strangers send is among them', async (t) => {
  const exported = readSources()
    .filter(({ unit }) => unit === 'packages/domain')
    .flatMap(({ text }) =>
      [...text.matchAll(/^export (?:function|const) (parse\w+)/gm)].map(([, name = '']) => name),
    );
  t.ok(exported.length >= 9);
  t.strictSame(
    exported.filter((name) => !(name in PARSERS) && name !== 'parsePlans'),
    [],
  );
});
