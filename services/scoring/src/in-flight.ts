import type { ServerResponse } from 'node:http';

/** Answers under way, so that stopping can wait for them and for nothing else. */
export interface InFlight {
  track(response: ServerResponse): void;
  drained(): Promise<void>;
}

export function createInFlight(): InFlight {
  let open = 0;
  let waiting: (() => void)[] = [];
  return {
    track(response) {
      open++;
      response.once('close', () => {
        open--;
        if (open > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
      });
    },
    async drained() {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}
