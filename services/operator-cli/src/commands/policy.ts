import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type {
  LivePolicyReply,
  LiveRulesReply,
  PoliciesReply,
  PolicyReply,
} from '@verdict/contracts/policy.js';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { PolicyFault } from '@verdict/domain/policy/policy-fault.js';
import { readPolicy } from '@verdict/domain/policy/read-policy.js';
import { type Command, InvalidArgumentError } from 'commander';
import { callApi } from '../call-api.js';
import type { Context } from '../context.js';
import { table } from '../output.js';
import { type PolicyFile, readPolicyFile } from '../policy/policy-file.js';
import { runExamples } from '../policy/run-examples.js';

const USAGE = 2;

interface PushOptions {
  readonly live?: true;
  readonly expect?: number | 'none';
  readonly really?: true;
}

/** Policies as files in git. Exit codes for CI: 0 done, 1 an example fails or the server refuses, 2 wrong usage. */
export function addPolicy(program: Command, context: Context): void {
  const policy = program
    .command('policy')
    .description(
      'keep policies as files: exits 0 if all is well, 1 if an example or the policy fails, 2 if used wrongly',
    )
    .exitOverride();
  policy
    .command('pull [file]')
    .description(
      'write the live policy to a file, keeping its examples, or print it (VERDICT_URL, VERDICT_API_KEY)',
    )
    .option('--version <n>', 'another version than the live one', versionNumber)
    .action((file: string | undefined, { version }: { version?: number }) => pull(context, file, version));
  policy
    .command('live')
    .description('show the live rules and how many checks each matched (VERDICT_URL, VERDICT_API_KEY)')
    .action(() => live(context));
  policy
    .command('test <file>')
    .description('run the examples of a file against its rules, offline')
    .action((file: string) => test(context, policy, file));
  policy
    .command('push <file>')
    .description('save the rules of a file as a new version (VERDICT_URL, VERDICT_API_KEY)')
    .option('--live', 'make the new version live')
    .option('--expect <n>', 'only if this version is live, or "none"', (text) =>
      text === 'none' ? text : versionNumber(text),
    )
    .option('--really', 'also if it would block over half of the last 1,000 checks')
    .action((file: string, options: PushOptions) => push(context, policy, file, options));
}

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a version, such as 3.');
  return Number(text);
}

/** The file as its author wrote it; one that cannot be read is wrong usage. */
function read(policy: Command, file: string): PolicyFile {
  try {
    return readPolicyFile(readFileSync(file, 'utf8'));
  } catch (error) {
    return policy.error(`${file}: ${(error as Error).message}`, { exitCode: USAGE });
  }
}

async function pull(
  { output }: Context,
  file: string | undefined,
  wanted: number | undefined,
): Promise<void> {
  const version = wanted ?? (await callApi<PoliciesReply>('policies/?limit=1')).live;
  if (version === null) throw new Error('no policy is live: name a version with --version');
  const { note, rules } = (await callApi<PolicyReply>(`policies/${version}/`)).policy;
  const examples =
    file !== undefined && existsSync(file) ? readPolicyFile(readFileSync(file, 'utf8')).examples : [];
  const document = { ...(note !== null && { note }), rules, ...(examples.length > 0 && { examples }) };
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === undefined) return output().text(text);
  writeFileSync(file, text);
  output().object({ file, version, rules: rules.length });
}

async function live({ output }: Context): Promise<void> {
  const { live: found } = await callApi<LiveRulesReply>('policies/live/');
  if (!found) return output().document({ version: null, rules: [] }, 'No policy is live.\n');
  const { version, rules } = found;
  const rows = rules.map(({ rule, today, last_7_days }) => ({ rule, today, '7 days': last_7_days }));
  output().document(found, `Version ${version} is live. Checks that each rule matched:\n\n${table(rows)}\n`);
}

function test({ output, fail }: Context, command: Command, file: string): void {
  const { policy, examples } = read(command, file);
  try {
    const { rules } = readPolicy(policy, POLICY_LANGUAGE);
    const results = runExamples(rules, examples, Date.now() * 1_000);
    const failed = results.filter(({ holds }) => !holds).length;
    const rows = results.map((result) => ({ ...result, rule: result.rule ?? '' }));
    const sentence =
      results.length === 0
        ? 'The rules are valid; the file has no examples.'
        : `${results.length - failed} of ${results.length} examples hold.`;
    output().document(results, `${results.length > 0 ? `${table(rows)}\n\n` : ''}${sentence}\n`);
    if (failed > 0) fail();
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    throw new Error(`${file}: ${error.field}: ${error.message}`);
  }
}

async function push(
  { output }: Context,
  command: Command,
  file: string,
  options: PushOptions,
): Promise<void> {
  const { live, expect, really } = options;
  if (!live && (expect !== undefined || really))
    command.error('--expect and --really need --live', { exitCode: USAGE });
  const { policy } = read(command, file);
  const { version } = (await callApi<PolicyReply>('policies/', { method: 'POST', json: policy })).policy;
  if (!live) return output().object({ version, live: false });
  const json = {
    version,
    ...(expect !== undefined && { expect: expect === 'none' ? null : expect }),
    ...(really && { really }),
  };
  const { previous } = await callApi<LivePolicyReply>('policies/live/', { method: 'PUT', json });
  output().object({ version, live: true, previous });
}
