import requestMethods from 'undici/lib/api/index.js';
import Pool from 'undici/lib/dispatcher/pool.js';

/**
 * The connection pool of undici without the rest of the package. Its entry also loads a fetch, WebSockets, caches and
 * Node's own copy, which took a tenth of a gateway's start.
 */
Object.assign(Pool.prototype, requestMethods);

export { Pool as HttpPool };
