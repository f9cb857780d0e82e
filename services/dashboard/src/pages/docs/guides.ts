import changelog from '../../../../../CHANGELOG.md';
import authentication from '../../../../../docs/guides/authentication.md';
import batchAndBulk from '../../../../../docs/guides/batch-and-bulk.md';
import errors from '../../../../../docs/guides/errors.md';
import idempotency from '../../../../../docs/guides/idempotency.md';
import limits from '../../../../../docs/guides/limits.md';
import quickstart from '../../../../../docs/guides/quickstart.md';
import testAddresses from '../../../../../docs/guides/test-addresses.md';
import webhooks from '../../../../../docs/guides/webhooks.md';

/** The public guides in the order of the navigation, by the last part of their address. */
export const GUIDES = {
  quickstart,
  authentication,
  errors,
  limits,
  idempotency,
  'batch-and-bulk': batchAndBulk,
  webhooks,
  'test-addresses': testAddresses,
  changelog,
};

export type GuideName = keyof typeof GUIDES;

export const isGuide = (name: string): name is GuideName => Object.hasOwn(GUIDES, name);
