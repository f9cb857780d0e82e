import { type AttackOrder, createAttacker } from './attacker.js';
import { ATTACKS } from './attacks.js';

/** `node attack-main.js ORDER`: prints a line when the attack has begun, and attacks until it is killed. */
const order = JSON.parse(process.argv[2] ?? '') as AttackOrder;
await ATTACKS[order.attack]?.(createAttacker(order));
process.stdout.write('begun\n');
