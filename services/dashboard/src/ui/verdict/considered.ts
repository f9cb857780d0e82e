import type { Considered } from '@verdict/contracts/considered.js';

const WORDS: Readonly<Record<Considered[number], string>> = {
  lists: 'your lists',
  policy: 'your rules',
  bursts: 'repetitions',
  ip: 'the network of the IP',
};

const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Names what a decision took into account, in one line. */
export const consideredLine = (considered: Considered): string =>
  `Takes into account ${all.format(considered.map((part) => WORDS[part]))}.`;
