import t from 'tap';
import { FAILURES_PER_MINUTE, forgedKeys } from './forged-keys.js';
import { LOOKS_PER_SECOND, lookLoops } from './look-loops.js';
import { startWatchedGateway } from './watched-gateway.js';

/** Requests that cost the control plane work: the looks come first, while the account has used nothing. */
const watched = await startWatchedGateway({
  AUTH_FAILURES_PER_MINUTE: FAILURES_PER_MINUTE,
  LOOKS_PER_SECOND,
});
t.teardown(() => watched.stop());

t.test('loops of looks', (t) => lookLoops(t, watched));
t.test('forged keys', (t) => forgedKeys(t, watched));
