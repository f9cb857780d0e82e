import { finish } from '../harness/compose.js';

/** The compose command of this machine, or one sentence about why there is none to use. */
export async function findEngine(): Promise<
  { readonly command: readonly string[] } | { readonly missing: string }
> {
  const engine = await succeeds('docker', ['info']);
  if (!engine) return { missing: 'no Docker engine answers (DOCKER_HOST)' };
  if (await succeeds('docker', ['compose', 'version'])) return { command: ['docker', 'compose'] };
  if (await succeeds('docker-compose', ['version'])) return { command: ['docker-compose'] };
  return { missing: 'neither `docker compose` nor `docker-compose` is installed' };
}

const succeeds = async (program: string, args: readonly string[]): Promise<boolean> => {
  try {
    return (await finish(program, args)).code === 0;
  } catch {
    return false;
  }
};
