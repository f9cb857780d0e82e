import { createServer } from 'node:net';

/** @param {number} port @param {string} [host] @returns {Promise<boolean>} */
export const isPortFree = (port, host = '127.0.0.1') =>
  new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no such address, so no server can listen there.
    server.once('error', (/** @type {NodeJS.ErrnoException} */ { code }) =>
      resolve(code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
