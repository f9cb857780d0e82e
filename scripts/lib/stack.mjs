import { rmSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { writeJson } from './json-file.mjs';
import { keepAlive } from './keep-alive.mjs';
import { STOP_ORDER } from './leftovers.mjs';
import { dataDir } from './paths.mjs';
import { waitReady } from './wait-ready.mjs';

const stackFile = path.join(dataDir, 'stack.json');

/** The running parts: brought up one by one, kept alive, stopped in order, and told to others in stack.json. */
export function createStack() {
  /** @type {Map<string, ReturnType<import('./managed-process.mjs').createManagedProcess>>} */
  const units = new Map();
  const stopping = new AbortController();
  let published = null;
  rmSync(stackFile, { force: true });

  const publish = () => {
    const processes = Object.fromEntries([...units].map(([name, unit]) => [name, unit.pid]));
    writeJson(stackFile, { ...published, processes });
  };

  return {
    isEmpty: () => units.size === 0,

    /** Starts a part and waits for it. */
    async add(unit) {
      units.set(unit.name, unit);
      unit.start();
      await waitReady(unit);
    },

    /** @param {object} facts what stack.json says beside the processes @param {(text: string) => void} say */
    keepAlive(facts, say) {
      published = facts;
      publish();
      for (const unit of units.values()) {
        keepAlive(unit, { signal: stopping.signal, say, onNewPid: publish }).catch((error) =>
          say(`${unit.name} is no longer watched: ${error.message}`),
        );
      }
    },

    /** @param {(name: string) => void} [note] */
    async stop(note = () => {}) {
      stopping.abort();
      rmSync(stackFile, { force: true });
      const stubborn = [];
      for (const name of STOP_ORDER) {
        const unit = units.get(name);
        if (!unit) continue;
        note(name);
        await unit.stop().catch((failure) => stubborn.push(failure.message));
      }
      if (stubborn.length > 0) throw new Failure(stubborn.join(' '));
    },

    /** At once, in no order; waits only until they are collected. */
    async kill() {
      stopping.abort();
      rmSync(stackFile, { force: true });
      for (const unit of units.values()) unit.kill();
      await Promise.all([...units.values()].map((unit) => unit.exited()));
    },
  };
}
