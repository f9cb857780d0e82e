export interface Subject {
  readonly name: string;
  /** One pass over the whole corpus. */
  readonly run: () => unknown;
}

const ROUNDS = 41;
const WARM_UP_ROUNDS = 10;

/** Median microseconds per address of each subject. Rounds take turns, so that a noisy moment hits all of them alike. */
export async function measure(subjects: readonly Subject[], addresses: number): Promise<Map<string, number>> {
  const times = new Map(subjects.map(({ name }): [string, number[]] => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const { name, run } of subjects) {
      const start = process.hrtime.bigint();
      await run();
      const microseconds = Number(process.hrtime.bigint() - start) / 1000 / addresses;
      if (round >= 0) times.get(name)?.push(microseconds);
    }
  }
  return new Map([...times].map(([name, samples]) => [name, median(samples)]));
}

function median(samples: number[]): number {
  return samples.toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
}
