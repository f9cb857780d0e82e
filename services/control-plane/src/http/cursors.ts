import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Position } from '@verdict/db/database/is-before.js';
import { invalidField } from '@verdict/service-kit/errors.js';

export type Cursors = ReturnType<typeof createCursors>;

const SHAPE = /^([A-Za-z0-9_-]{1,300})\.([A-Za-z0-9_-]{43})$/;

/**
 * Opaque, tamper-evident cursors. They are signed with the account and the listing, so they cannot be forged or used
 * elsewhere.
 */
export function createCursors(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'verdict cursors', 32));
  const sign = (listing: string, accountId: string, content: string): Buffer =>
    createHmac('sha256', key).update(`${listing}\n${accountId}\n${content}`).digest();

  return {
    seal(listing: string, accountId: string, { createdAt, id }: Position) {
      const content = Buffer.from(`${createdAt} ${id}`).toString('base64url');
      return `${content}.${sign(listing, accountId, content).toString('base64url')}`;
    },
    /** Null when there is no cursor; a 400 when it is not one that this account got for this listing. */
    open(listing: string, accountId: string, cursor: string | undefined) {
      if (cursor === undefined) return null;
      const [, content = '', signature = ''] = SHAPE.exec(cursor) ?? [];
      const shown = Buffer.from(signature, 'base64url');
      const expected = sign(listing, accountId, content);
      if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) {
        throw invalidField('cursor', 'is not a cursor of this list');
      }
      const [createdAt = '', id = ''] = Buffer.from(content, 'base64url').toString().split(' ');
      return { createdAt, id };
    },
  };
}
