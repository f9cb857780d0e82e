import { createHash } from 'node:crypto';

const CONNECT = '+ping +hello +auth +client|setname +client|id +quit +info +config|get +command';
/** A cluster is asked where its slots are; a single server simply knows no such command being sent. */
const CLUSTER = '+cluster|slots +cluster|shards +cluster|nodes +cluster|info +readonly +asking';
const DATA =
  '+@read +@write +@hash +@sortedset +@list +@set +@string +@stream -@dangerous -@keyspace +del +unlink +exists +expire +pexpire +expireat +ttl +pttl +type +time +wait';
const SCRIPTS = '+multi +exec +discard +eval +evalsha +evalsha_ro +eval_ro +script|load +script|exists';

/**
 * Least privilege by user; rules apply in order, so what is removed as dangerous comes before what is given back. No
 * service may flush, list every key, change settings, manage users or read foreign keys; the control plane cannot reach
 * the queue, and it and the gateway cannot scan. The administrator changes settings and users, and reads no key.
 */
export const REDIS_USERS = {
  gateway: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT}`,
  'control-plane': `resetkeys ~verdict:{*}:* ~verdict:shards ~verdict:key:* ~verdict:login:* ~verdict:rate:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT}`,
  worker: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT} +scan`,
  // Erasing an address is complete when it is out of the append-only file too.
  operator: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT} +scan +bgrewriteaof`,
  admin: `resetkeys resetchannels -@all ${CONNECT} +config +acl +bgrewriteaof +client +slowlog +latency +memory|stats +memory|doctor +dbsize`,
};

/**
 * The ACL file of a Redis that only our services may use. Passwords are in it as hashes, two of a user while its
 * password is being rotated.
 * @param {Record<string, string[]>} passwords by user
 */
export function redisAclFile(passwords) {
  const users = Object.entries(REDIS_USERS).map(([user, rules]) => {
    const hashes = passwords[user].map((password) => `#${sha256(password)}`).join(' ');
    return `user ${user} on resetpass ${hashes} ${rules}`;
  });
  // Without a password it may do one thing: answer a health check.
  const health = 'user health on nopass resetkeys resetchannels -@all +ping';
  return `${['user default off resetpass resetkeys resetchannels -@all', health, ...users].join('\n')}\n`;
}

/**
 * An ACL file with the lines of these users, and of users that it lacks, as another file has them. Every other line stays,
 * so that rules of your own survive a rotation.
 * @param {string} text @param {string} other @param {(string | undefined)[]} users
 */
export function withUsers(text, other, users) {
  const userOf = (line) => line.split(' ')[1];
  const linesOf = (file) => file.split('\n').filter(Boolean);
  const fresh = new Map(linesOf(other).map((line) => [userOf(line), line]));
  const kept = linesOf(text).map((line) => (users.includes(userOf(line)) ? fresh.get(userOf(line)) : line));
  const known = new Set(kept.map(userOf));
  const added = [...fresh].flatMap(([user, line]) => (known.has(user) ? [] : [line]));
  return `${[...kept, ...added].join('\n')}\n`;
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
