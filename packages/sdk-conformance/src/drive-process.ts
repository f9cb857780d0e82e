import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Driver, Outcome } from './run-case.js';

/** A client in another language: a process that takes a task a line and prints an outcome a line, each with the id of its task. */
export function driveProcess(command: string, args: readonly string[], cwd: string) {
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, { resolve(outcome: Outcome): void; reject(error: Error): void }>();
  let last = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, outcome } = JSON.parse(line) as { id: number; outcome: Outcome };
    waiting.get(id)?.resolve(outcome);
    waiting.delete(id);
  });
  child.once('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${command} ended with ${code}`));
  });
  const drive: Driver = (task) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ ...task, id })}\n`);
    });
  return { drive, end: () => child.stdin.end() };
}
