const STEPS = [1, 2, 2.5, 5, 10];
const WANTED = 4;

/** Round figures from zero to at least `highest`. */
export function niceTicks(highest: number): number[] {
  const rough = Math.max(1, highest / WANTED);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, (STEPS.find((one) => one * power >= rough) ?? 10) * power);
  const whole = Number.isInteger(step) ? step : Math.ceil(step);
  return Array.from({ length: Math.ceil(highest / whole) + 1 }, (_, index) => index * whole);
}
