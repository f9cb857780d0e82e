import { plural } from '../../ui/format/format.ts';

export const LIMITS_TEXTS = {
  until: (day: string, over: boolean) => (over ? `expired ${day}` : `until ${day}`),
  networks: (count: number) => (count === 1 ? 'from one network' : `from ${count} networks`),
};

export const CLIENT_TEXTS = {
  dropped: (count: number, day: string) => `${plural(count, 'IP')} dropped, last on ${day}`,
  why: 'Your app passed values that are not IP addresses. The client dropped them, so lists and rules by network did not apply to those checks.',
  help: 'Which IP to send',
};

export const SCOPE_TEXTS = {
  check: 'Check addresses',
  jobs: 'Upload files and read their results',
  lists: 'Read and change lists',
  outcomes: 'Say what became of people',
  policies: 'Read and change policies',
  usage: 'Read usage',
};

export const ROLL_TEXTS = {
  title: (name: string) => `Roll ${name}`,
  text: 'Creates a new value. The old one keeps working for the time you choose, so you can switch over.',
  overlap: 'Keep the old value for',
  submit: 'Roll key',
};

export const REVOKE_TEXTS = {
  used: (ago: string, checks: string) => `Last used ${ago}, ${checks} in 30 days.`,
};
