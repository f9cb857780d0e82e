/**
 * Requests of one customer in their order, the same for the same seed: single checks and batches, repeated people and IPs,
 * expansions, replays, mismatches and mistakes.
 * @param {number} seed @param {number} count
 * @returns {{ path: string, body: string, idempotencyKey?: string }[]}
 */
export function generateRequests(seed, count) {
  const random = createRandom(seed);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const isSeldom = (share) => random() < share;
  const sent = [];

  const person = () => ({
    email: pick(LOCALS)(Math.floor(random() * 400)) + pick(DOMAINS),
    ...(isSeldom(0.7) && { ip: pick(IPS)(Math.floor(random() * 60)) }),
  });
  const item = () =>
    isSeldom(0.1) ? pick(BAD_BODIES) : { ...person(), ...(isSeldom(0.5) && { ref: pick(REFS) }) };

  function next(number) {
    const query = isSeldom(0.25) ? `?expand=${pick(EXPANSIONS)}` : '';
    const isBatch = isSeldom(0.12);
    if (isSeldom(0.02)) return { path: `check/${isBatch ? 'batch/' : ''}${query}`, body: pick(BAD_TEXTS) };
    const body = isBatch
      ? { items: Array.from({ length: 1 + Math.floor(random() * 24) }, item) }
      : isSeldom(0.04)
        ? pick(BAD_BODIES)
        : person();
    const request = { path: `check/${isBatch ? 'batch/' : ''}${query}`, body: JSON.stringify(body) };
    if (!isSeldom(0.15)) return request;
    const earlier = sent.filter(({ idempotencyKey }) => idempotencyKey);
    if (earlier.length > 0 && isSeldom(0.5)) return pick(earlier);
    if (earlier.length > 0 && isSeldom(0.1))
      return { ...request, idempotencyKey: pick(earlier).idempotencyKey };
    return { ...request, idempotencyKey: `key-${number}` };
  }

  for (let number = 0; number < count; number++) sent.push(next(number));
  return sent;
}

const LOCALS = [
  (n) => `jane.doe${n}`,
  (n) => `Jane.Doe${n}`,
  (n) => `jane.doe${n}+tag${n % 7}`,
  (n) => `j.a.n.e.${n}`,
  (n) => `user${String(n % 90).padStart(2, '0')}`,
  (n) => ['info', 'support', 'noreply', 'admin'][n % 4],
  (n) => `xq${n}zkvwpt9h`,
  (n) => `"odd ${n % 9}"`,
  (n) => `jürgen${n}`,
];
const DOMAINS = [
  '@gmail.com',
  '@googlemail.com',
  '@outlook.com',
  '@gmial.com',
  '@mailinator.com',
  '@company-1.bench-corp.com',
  '@company-2.bench-corp.com',
  '@COMPANY-3.bench-corp.com',
  '@listed.bench-corp.com',
  '@below.listed.bench-corp.com',
  '@nowhere.bench-corp.com',
  '@bücher.example',
  '@[192.0.2.1]',
  '@test.verdict.example',
];
/** The domains whose mail servers scoring looks up. */
export const NAMES = DOMAINS.filter((domain) => domain.endsWith('corp.com')).map((domain) =>
  domain.slice(1).toLowerCase(),
);
const IPS = [
  (n) => `198.18.${n}.7`,
  (n) => `45.12.7.${n % 3}`,
  (n) => `2001:db8:${n.toString(16)}::1`,
  (n) => `2001:DB8:0:0:${(n % 4).toString(16)}::2`,
  () => '::ffff:203.0.113.7',
  () => ' 203.0.113.9 ',
];
const REFS = ['row 1', 'Zeile "2"', 'ряд\n3', ''];
const EXPANSIONS = ['signals', 'breakdown', 'signals,breakdown', 'breakdown,signals', 'everything'];
const BAD_BODIES = [
  {},
  { email: 1 },
  { email: '' },
  { email: 'no address' },
  { email: 'a@b' },
  { email: 'jane@gmail.com', ip: '300.1.2.3' },
  { email: 'jane@gmail.com', ip: 7 },
  { email: 'jane@gmail,com' },
];
const BAD_TEXTS = [
  '',
  '{',
  '[]',
  'null',
  '{"items":[]}',
  '{"email":"a@gmail.com","unknown":1}',
  '{"__proto__":{}}',
];

/** Mulberry32: small, seeded, and random enough. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}
