import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { type HttpProxy, startHttpProxy } from '../harness/start-http-proxy.js';

/** A gateway whose questions to the control plane are counted. */
export interface WatchedGateway {
  readonly gateway: TestService;
  readonly asked: HttpProxy;
  readonly apiKey: string;
  stop(): Promise<void>;
}

export async function startWatchedGateway(
  settings: Readonly<Record<string, number>>,
): Promise<WatchedGateway> {
  const stack = await startStack();
  const asked = await startHttpProxy(stack.controlPlane.internalUrl);
  const gateway = await startService('gateway', {
    ...stack.environments.gateway,
    ...settings,
    CONTROL_PLANE_INTERNAL_URL: asked.url,
  });
  return {
    gateway,
    asked,
    apiKey: stack.apiKey,
    async stop() {
      await gateway.stop();
      await asked.stop();
      await stack.stop();
    },
  };
}
