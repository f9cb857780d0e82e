import type { Command } from 'commander';
import type { Output } from './output.js';

/** What every command is given. */
export interface Context {
  /** Made after the options were read: --json may stand anywhere. */
  output(): Output;
  /** The command found what an operator must look at: the process ends with 1. */
  fail(): void;
  /** The program with every command loaded, for what describes them. */
  wholeProgram(): Promise<Command>;
}
