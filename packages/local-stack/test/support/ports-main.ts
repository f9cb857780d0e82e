import { freePort } from '../../src/free-port.js';

/** Claims 300 ports, prints them and keeps them. */
const ports: number[] = [];
while (ports.length < 300) ports.push(await freePort());
process.stdout.write(`${JSON.stringify(ports)}\n`);
setInterval(() => {}, 1000);
