/** Steps on the console; the last note becomes the detail of a step's line. */
export interface Progress {
  say(text?: string): void;
  step<T>(label: string, work: (note: (detail: string) => void) => Promise<T>): Promise<T>;
}
export function createProgress(): Progress;
