import { CHAOS } from '../config.js';

/** The long form is run to be read: its figures go to the console, past the reporter that shows only names. */
export function printFigures(title: string, figures: object): void {
  if (CHAOS.isLong) process.stderr.write(`${title}: ${JSON.stringify(figures)}\n`);
}
