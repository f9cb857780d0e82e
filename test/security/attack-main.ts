import { constants, setPriority } from 'node:os';
import { type AttackOrder, createAttacker } from './attacker.js';
import { ATTACKS } from './attacks.js';

/**
 * `node attack-main.js ORDER`: prints a line when the attack has begun, and attacks until it is killed. A real attacker
 * computes on another machine, so this one gets what the services leave.
 */
setPriority(constants.priority.PRIORITY_LOW);
const order = JSON.parse(process.argv[2] ?? '') as AttackOrder;
await ATTACKS[order.attack]?.(createAttacker(order));
process.stdout.write('begun\n');
