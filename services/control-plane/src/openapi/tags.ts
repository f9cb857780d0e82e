import type { Tag } from '@verdict/contracts/routes/route.js';

const DESCRIPTIONS: Readonly<Record<Tag, string>> = {
  validation: 'The API for your backend, with an API key',
  jobs: 'Files of addresses, checked row by row; with an API key or a token',
  auth: 'Users, sessions and tokens',
  keys: 'API keys of the account',
  lists: "The account's own allow and block lists",
  policies: "The account's own rules",
  logs: 'Checks that were made',
  usage: 'Counted checks',
  billing: 'Plan and closed months',
  outcomes: 'Outcomes of checked people, and how right the decisions were',
  webhooks: 'Webhook endpoints and deliveries',
  hooks: 'Sign-up hooks: URLs that an auth provider calls',
  members: 'People of the account, their roles and invitations',
  audit: 'The audit log',
  operator: 'For users whom an operator let in',
};

export const TAGS = Object.entries(DESCRIPTIONS).map(([name, description]) => ({ name, description }));
