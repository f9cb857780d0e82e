import t from 'tap';
import { readInternalTokens } from '../src/internal-tokens.js';

t.test(
  'while a token is rotated the new one is sent, both are accepted and the old one derives keys',
  async (t) => {
    t.strictSame(readInternalTokens('new, old'), { sent: 'new', accepted: ['new', 'old'], shared: 'old' });
    t.strictSame(readInternalTokens('only'), { sent: 'only', accepted: ['only'], shared: 'only' });
  },
);
