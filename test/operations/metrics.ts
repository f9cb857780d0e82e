import { readFile } from 'node:fs/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import type { Test } from 'tap';
import { parse } from 'yaml';
import { declaredName, metricNames } from './metric-names.js';

const read = (path: string) => readFile(inRoot('deploy', path), 'utf8');

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly (Alert | { readonly record: string; readonly expr: string })[];
  }[];
}
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary?: string; readonly action?: string };
}

const UP = [
  /^verdict_dependency_up\{dependency="redis",service="gateway"\} 1$/m,
  /^verdict_dependency_up\{dependency="postgres",service="worker"\} 1$/m,
];

/** test/security/edge.test.ts asks the edge for these. */
const OF_THE_EDGE = 'haproxy_';

/** Short and long window of each burn rate: 2 % of 30 days in an hour, 5 % in six, 10 % in a day and in three. */
const WINDOWS: Readonly<Record<string, string>> = {
  '14.4': '5m and 1h',
  '6': '30m and 6h',
  '3': '2h and 1d',
  '1': '6h and 3d',
};
const BURN =
  /\(verdict:(\w+):ratio(\w+) > (?:([\d.]+) \* )?([\d.]+) and verdict:(\w+):ratio(\w+) > (?:([\d.]+) \* )?([\d.]+)\)/g;

/** A recorded share is one figure, whatever its window. */
const figureOf = (name: string): string => name.replace(/:ratio\w+$/, '');

/** Both windows of a burn rate ask for the same thing, and the windows are those of the rate. */
function burnRates(t: Test, rules: readonly Alert[]): void {
  const burning = rules.filter(({ expr }) => expr.includes(':ratio'));
  t.strictSame(
    burning.map(({ alert }) => alert),
    ['VerdictChecksFail', 'VerdictChecksFailSlowly', 'VerdictChecksSlow', 'VerdictEdgeFails'],
  );
  for (const { alert, expr } of burning) {
    const pairs = [...expr.matchAll(BURN)];
    t.equal(pairs.length, 2, `${alert} has a fast and a slow burn rate`);
    for (const [, what, short, rate = '1', share, sameWhat, long, sameRate = '1', sameShare] of pairs) {
      t.strictSame([sameWhat, sameRate, sameShare], [what, rate, share], `${alert} at ${rate}`);
      t.equal(`${short} and ${long}`, WINDOWS[rate], `${alert} at ${rate}`);
    }
  }
}

/** For a stack without any request yet. */
export async function metrics(t: Test, stack: TestStack): Promise<void> {
  const scrape = async () =>
    (
      await Promise.all(stack.services.map(async (one) => (await http(`${one.internalUrl}/metrics`)).text))
    ).join('\n');
  const all = (parse(await read('prometheus/alerts.yml')) as Rules).groups.flatMap((group) => group.rules);
  const rules = all.filter((rule) => 'alert' in rule);
  const recorded = all.filter((rule) => 'record' in rule);
  const unused = await scrape();
  for (const { alert, expr } of rules) {
    for (const [, name = '', label = ''] of expr.matchAll(/\babsent\((\w+)\{(\w+="[\w-]+")\}\)/g)) {
      t.match(
        unused,
        new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} `, 'm'),
        `${alert} is quiet on an unused stack`,
      );
    }
  }
  t.equal(
    [...JSON.stringify(rules).matchAll(/absent\(/g)].length,
    4,
    'and no other alert asks for what is absent',
  );

  t.equal((await stack.api('check/', { json: { email: 'jane@gmail.com' } })).status, 200);
  t.equal((await stack.api('nowhere/')).status, 404);
  const text = await eventually(async () => {
    const seen = await scrape();
    const isRolledUp = /^verdict_rollup_lag_seconds_count\S* [1-9]/m.test(seen);
    // A dependency that does not answer within a second counts as away, and a busy machine may take longer.
    return isRolledUp && UP.every((series) => series.test(seen)) && seen;
  });
  const declared = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));

  t.ok(rules.length > 10);
  const known = new Set(recorded.map(({ record }) => record));
  const finds = (name: string) =>
    known.has(name) || name.startsWith(OF_THE_EDGE) || declared.has(declaredName(name, declared));
  for (const rule of all) {
    const title = 'alert' in rule ? rule.alert : rule.record;
    const names = metricNames(rule.expr);
    t.ok(names.length > 0, `${title} asks for something`);
    for (const name of names) t.ok(finds(name), `${title} finds ${name}`);
  }
  const dashboard = JSON.parse(await read('grafana/verdict.json')) as Dashboard;
  const drawn = new Set<string>();
  for (const { title, targets = [] } of dashboard.panels) {
    for (const name of targets.flatMap(({ expr }) => metricNames(expr))) {
      t.ok(finds(name), `"${title}" finds ${name}`);
      drawn.add(figureOf(name));
    }
  }
  const asked = new Set(rules.flatMap(({ expr }) => metricNames(expr)));
  for (const record of known) t.ok(asked.has(record), `an alert asks for ${record}`);
  for (const name of asked)
    t.ok(
      drawn.has(figureOf(name)) || !name.startsWith('verdict'),
      `the dashboard shows what alerts ask of ${name}`,
    );
  burnRates(t, rules);

  const runbook = await readFile(inRoot('docs/runbook.md'), 'utf8');
  for (const { alert, annotations } of rules) {
    t.ok(annotations.summary && annotations.action, `${alert} says what happened and what to do`);
    t.match(runbook, new RegExp(`^### ${alert}$`, 'm'), `${alert} has a section in the runbook`);
  }
  for (const part of ['Gateways', 'Scoring', 'Workers', 'ControlPlanes', 'Redis', 'Postgres']) {
    t.ok(
      rules.some(({ alert }) => alert === `Verdict${part}Gone`),
      `${part} may be missing`,
    );
  }

  for (const series of [
    /^http_request_duration_seconds_count\{route="\/api\/v1\/check\/",method="POST",status="200",service="gateway"\} 1$/m,
    /^http_request_duration_seconds_count\{route="none",method="any",status="404",service="gateway"\} 1$/m,
    /^http_request_duration_seconds_count\{route="\/\S*",method="POST",status="200",service="scoring"\} 1$/m,
    /^verdict_admissions_total\{outcome="granted",service="gateway"\} 1$/m,
    /^verdict_scoring_seconds_count\{service="gateway"\} 1$/m,
    /^verdict_dataset_age_seconds\{dataset="disposable_domains",version="\d{4}-\d\d-\d\d",service="scoring"\} \d/m,
  ]) {
    t.match(text, series);
  }
}
