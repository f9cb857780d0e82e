import { rmSync } from 'node:fs';
import { Failure } from './failure.js';
import { pause } from './interrupt.js';
import { writeJson } from './json-file.js';
import { inData } from './paths.js';
import { type RunFile, STOP_ORDER } from './run-file.js';
import type { RunningProcess } from './start-process.js';
import { howItEnded, whenReady } from './when-ready.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 30_000;
const HEALTHY_AFTER_MS = 60_000;

/** A process that belongs to the stack, and how to see that it serves. */
export interface Part {
  readonly name: string;
  readonly log: string;
  launch(): RunningProcess;
  isReady(started: RunningProcess): Promise<boolean>;
}

export type Supervisor = ReturnType<typeof createSupervisor>;

export function createSupervisor(runFile: RunFile) {
  const stackFile = inData('stack.json');
  const parts = new Map<string, { part: Part; running: RunningProcess }>();
  const stopping = new AbortController();
  const stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', resolve));
  let published: Readonly<Record<string, unknown>> = {};
  rmSync(stackFile, { force: true });

  function launch(part: Part): RunningProcess {
    const running = part.launch();
    parts.set(part.name, { part, running });
    runFile.add(part.name, running.pid);
    return running;
  }

  function publish(): void {
    const processes = Object.fromEntries([...parts].map(([name, { running }]) => [name, running.pid]));
    writeJson(stackFile, { ...published, processes });
  }

  function end(): void {
    stopping.abort();
    rmSync(stackFile, { force: true });
  }

  /** With a pause that grows until the part has stayed up for a minute. */
  async function watch(part: Part, first: RunningProcess, say: (text: string) => void): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    let upSince = Date.now();
    for (let running = first; ; ) {
      await Promise.race([running.exited, stopped]);
      const ended = running.end();
      if (stopping.signal.aborted || !ended) return;
      if (Date.now() - upSince >= HEALTHY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      const how = howItEnded(ended);
      say(`${part.name} ended (${how}); starting it again in ${pauseMs / 1000} s. Log: ${part.log}`);
      await pause(pauseMs, stopping.signal);
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const again = launch(part);
      running = again;
      upSince = Date.now();
      publish();
      // One that is slow to get ready is left alone; one that ended comes round again.
      await whenReady(part.name, again, () => part.isReady(again), { signal: stopping.signal }).then(
        () => stopping.signal.aborted || say(`${part.name} is back (pid ${again.pid}).`),
        (error: Error) => again.end() || say(error.message),
      );
    }
  }

  return {
    /** Starts a part and waits for it. */
    async add(part: Part) {
      const running = launch(part);
      await whenReady(part.name, running, () => part.isReady(running), { log: part.log });
    },
    /** From now on a part that ends is started again, and stack.json tells others what runs. */
    keepAlive(facts: Readonly<Record<string, unknown>>, say: (text: string) => void) {
      published = facts;
      publish();
      for (const { part, running } of parts.values()) {
        watch(part, running, say).catch((error: Error) =>
          say(`${part.name} is no longer watched: ${error.message}`),
        );
      }
    },
    isEmpty: () => parts.size === 0,
    async stop(note: (name: string) => void) {
      end();
      const stubborn: string[] = [];
      for (const name of STOP_ORDER) {
        const running = parts.get(name)?.running;
        if (!running || running.end()) continue;
        note(name);
        await running.stop().catch((error: Error) => stubborn.push(error.message));
      }
      if (stubborn.length > 0) throw new Failure(stubborn.join(' '));
    },
    /** All together; waits only until they are collected. */
    async kill() {
      end();
      await Promise.all([...parts.values()].map(({ running }) => running.kill()));
    },
  };
}
