import type { Command } from 'commander';
import type { Output } from './output.js';

/** The context of every command. */
export interface Context {
  /** Created after the options were read: --json may come anywhere. */
  output(): Output;
  /** The command found what an operator must look at: the process ends with 1. */
  fail(): void;
  /** The program with every command loaded, for what describes them. */
  wholeProgram(): Promise<Command>;
}
