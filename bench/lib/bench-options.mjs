import { parseArgs } from 'node:util';

/** `--quick` for two minutes instead of six, `--against DIR` for another checkout in turns with this one. */
export function benchOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: { quick: { type: 'boolean', default: false }, against: { type: 'string' } },
  });
  const { quick, against } = values;
  const length = quick
    ? { rounds: 3, seconds: 3, warmUpSeconds: 4, hasSlowDns: false }
    : { rounds: 5, seconds: 4, warmUpSeconds: 8, hasSlowDns: true };
  // A shortened run and one beside another checkout are for the eye: published figures come from whole runs alone.
  return { ...length, against, isPublished: !quick && against === undefined };
}
