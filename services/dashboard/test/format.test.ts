import t from 'tap';
import {
  formatAge,
  formatBytes,
  formatMoment,
  formatMoney,
  formatShare,
  plural,
  shorten,
} from '../src/ui/format/format.ts';

const NOW = Date.parse('2026-11-16T10:00:00Z');

t.test('under an hour a moment is said in words, a moment ahead of the clock too', async (t) => {
  t.equal(formatMoment('2026-11-16T09:59:30Z', NOW, true), 'just now');
  t.equal(formatMoment('2026-11-16T10:00:29Z', NOW, true), 'just now', 'the page ticks every 30 seconds');
  t.equal(formatMoment('2026-11-16T09:45:00Z', NOW, true), '15 min ago');
  t.equal(formatMoment('2026-11-16T09:00:00Z', NOW, true), '2026-11-16 09:00:00');
  t.equal(formatMoment('2026-11-16T09:59:30Z', NOW, false), '2026-11-16 09:59:30');
  t.equal(formatMoment('2026-12-01T00:00:00Z', NOW, true), '2026-12-01 00:00:00', 'a day to come is a date');
});

t.test('figures have separators, money its currency, shares one decimal', async (t) => {
  t.equal(plural(1, 'check'), '1 check');
  t.equal(plural(12_345, 'check'), '12,345 checks');
  t.equal(formatShare(1, 3), '33.3%');
  t.equal(formatShare(0, 0), '–');
  t.equal(formatMoney(4900, 'EUR'), '€49');
  t.equal(formatMoney(4950, 'EUR'), '€49.50');
  t.equal(formatMoney(500, 'JPY'), '¥500');
  t.equal(formatBytes(1500), '1.5 kB');
  t.strictSame([59, 60, 3600, 172_800].map(formatAge), ['59 s', '1 min', '1 h', '2 d']);
});

t.test('ids are shortened in the middle', async (t) => {
  t.equal(shorten('log_01K8YJ3T9GQ0VZ4M5N6P7R8S9T'), 'log_01K8…8S9T');
  t.equal(shorten('key_short'), 'key_short');
});
