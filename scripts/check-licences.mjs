// `npm run -s licences` counts the licences in the bill of materials, and exits 1 on one that was never reviewed.
import { json } from 'node:stream/consumers';

/** They let us ship, and ask for no more than to be named; lightningcss (MPL-2.0) only builds the dashboard. */
const REVIEWED =
  /^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC0-1\.0|ISC|MIT|MIT-0|MPL-2\.0 lightningcss\S*|OFL-1\.1|Unlicense|\(MIT OR CC0-1\.0\)|none png-js)$/;

const { components } = await json(process.stdin);
const counts = {};
for (const { name, version, licenses = [] } of components) {
  const licence =
    licenses.map(({ expression, license }) => expression ?? license.id ?? license.name).join(' AND ') ||
    'none';
  counts[licence] = (counts[licence] ?? 0) + 1;
  if (REVIEWED.test(licence) || REVIEWED.test(`${licence} ${name}`)) continue;
  process.exitCode = 1;
  console.error(`${name}@${version}: ${licence} was never reviewed`);
}
console.table(counts);
