import { createHash } from 'node:crypto';

const CONNECT = '+ping +hello +auth +client|setname +client|id +quit +info +config|get +command';
/** A cluster is asked where its slots are; a single server simply knows no such command being sent. */
const CLUSTER = '+cluster|slots +cluster|shards +cluster|nodes +cluster|info +readonly +asking';
const DATA =
  '+@read +@write +@hash +@sortedset +@list +@set +@string +@stream -@dangerous -@keyspace +del +unlink +exists +expire +pexpire +expireat +ttl +pttl +type +time +wait';
const SCRIPTS = '+multi +exec +discard +eval +evalsha +evalsha_ro +eval_ro +script|load +script|exists';

/**
 * Least privilege by user; rules apply in order, so what is removed as dangerous comes before what is given back. No
 * user may flush, list every key, change settings, manage users or read foreign keys; the control plane cannot reach
 * the queue, and it and the gateway cannot scan.
 */
export const REDIS_USERS = {
  gateway: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT}`,
  'control-plane': `resetkeys ~verdict:{*}:* ~verdict:shards ~verdict:key:* ~verdict:login:* ~verdict:rate:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT}`,
  worker: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT} +scan`,
  // Erasing an address is complete when it is out of the append-only file too.
  operator: `resetkeys ~verdict:* resetchannels -@all ${DATA} ${SCRIPTS} ${CLUSTER} ${CONNECT} +scan +bgrewriteaof`,
};

/**
 * The ACL file of a Redis that only our services may use. Passwords are in it as hashes.
 * @param {Record<string, string>} passwords by user
 */
export function redisAclFile(passwords) {
  const users = Object.entries(REDIS_USERS).map(
    ([user, rules]) => `user ${user} on resetpass #${sha256(passwords[user])} ${rules}`,
  );
  // Without a password it may do one thing: answer a health check.
  const health = 'user health on nopass resetkeys resetchannels -@all +ping';
  return `${['user default off resetpass resetkeys resetchannels -@all', health, ...users].join('\n')}\n`;
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
