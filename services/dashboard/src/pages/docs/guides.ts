import changelog from '../../../../../CHANGELOG.md';
import betterAuth from '../../../../../clients/better-auth/README.md';
import php from '../../../../../clients/php/README.md';
import python from '../../../../../clients/python/README.md';
import recipes from '../../../../../clients/recipes/README.md';
import conformance from '../../../../../docs/conformance.md';
import authentication from '../../../../../docs/guides/authentication.md';
import batchAndBulk from '../../../../../docs/guides/batch-and-bulk.md';
import errors from '../../../../../docs/guides/errors.md';
import hooks from '../../../../../docs/guides/hooks.md';
import idempotency from '../../../../../docs/guides/idempotency.md';
import limits from '../../../../../docs/guides/limits.md';
import outcomes from '../../../../../docs/guides/outcomes.md';
import quickstart from '../../../../../docs/guides/quickstart.md';
import team from '../../../../../docs/guides/team.md';
import testAddresses from '../../../../../docs/guides/test-addresses.md';
import webhooks from '../../../../../docs/guides/webhooks.md';
import integrate from '../../../../../docs/integrate.md';
import policies from '../../../../../docs/policies.md';
import scoring from '../../../../../docs/scoring.md';
import node from '../../../../../packages/sdk/README.md';

/** The public guides in the order of the navigation, by the last part of their address. */
export const GUIDES = {
  quickstart,
  integrate: { ...integrate, title: 'Clients' },
  node: { ...node, title: 'Node client' },
  python: { ...python, title: 'Python client' },
  php: { ...php, title: 'PHP client' },
  authentication,
  errors,
  limits,
  idempotency,
  'batch-and-bulk': batchAndBulk,
  hooks,
  'better-auth': betterAuth,
  recipes,
  outcomes,
  webhooks,
  policies,
  scoring,
  team,
  'test-addresses': testAddresses,
  conformance,
  changelog,
};

export type GuideName = keyof typeof GUIDES;

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);
