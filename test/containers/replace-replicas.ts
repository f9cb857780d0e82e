import { eventually } from '@verdict/local-stack/eventually.js';
import { type ComposeProject, containersOf, docker } from '../harness/compose.js';
import { SCALE } from './start-containers.js';

const SERVICES = Object.keys(SCALE) as (keyof typeof SCALE)[];

/** One replica of each service dies without a word and comes back. */
export async function killOneOfEach(project: ComposeProject, say: (text: string) => void): Promise<void> {
  for (const service of SERVICES) {
    const [first = ''] = await containersOf(project, service);
    say(`killing one ${service}`);
    await docker('kill', '--signal', 'KILL', first);
    await pause(2_000);
    await docker('start', first);
    await untilHealthy(first);
  }
}

/** Stops and starts every replica of every service, one after the other. */
export async function rollAll(project: ComposeProject, say: (text: string) => void): Promise<void> {
  for (const service of SERVICES) {
    for (const container of await containersOf(project, service)) {
      say(`restarting a ${service}`);
      await docker('restart', '--time', '30', container);
      await untilHealthy(container);
      // The edge looks every half second.
      await pause(1_500);
    }
  }
}

const untilHealthy = (container: string): Promise<unknown> =>
  eventually(
    async () =>
      (await docker('inspect', '--format', '{{.State.Health.Status}}', container)).trim() === 'healthy',
    { withinMs: 300_000, everyMs: 500 },
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
