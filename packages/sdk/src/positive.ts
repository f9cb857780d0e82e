/** An option that must be more than nothing. */
export function positive(name: string, value: number): number {
  if (!(value > 0)) throw new TypeError(`${name} must be more than 0`);
  return value;
}
