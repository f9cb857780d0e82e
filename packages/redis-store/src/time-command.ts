import { hasStoodStill } from '@verdict/domain/has-stood-still.js';
import type { Command } from 'ioredis';

const TIMER = '_commandTimeoutTimer';

/**
 * Gives a command up after so long, as ioredis does; if this process stood still meanwhile, the command gets the time
 * once more. The timer is kept where ioredis would keep it, which clears it and adds no other.
 */
export function timeCommand(command: Command, timeoutMs: number): void {
  const startedAt = performance.now();
  command[TIMER] ??= setTimeout(() => {
    if (!hasStoodStill(timeoutMs, performance.now() - startedAt)) giveUp(command);
    else command[TIMER] = setTimeout(giveUp, timeoutMs, command);
  }, timeoutMs);
}

const giveUp = (command: Command): void => command.reject(new Error('Command timed out'));
