import { startService, type TestService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { type HttpProxy, startHttpProxy } from '../harness/start-http-proxy.js';

/** A gateway whose requests to the control plane are counted. */
export interface WatchedGateway {
  readonly gateway: TestService;
  /** Its questions. */
  readonly asked: HttpProxy;
  /** Requests of clients that it passed on. */
  readonly forwarded: HttpProxy;
  readonly apiKey: string;
  stop(): Promise<void>;
}

export async function startWatchedGateway(
  settings: Readonly<Record<string, number>>,
): Promise<WatchedGateway> {
  const stack = await startStack({ gateways: 0, workers: 0 });
  const asked = await startHttpProxy(stack.controlPlane.internalUrl);
  const forwarded = await startHttpProxy(stack.controlPlane.url);
  const gateway = await startService('gateway', {
    ...stack.environments.gateway,
    ...settings,
    CONTROL_PLANE_INTERNAL_URL: asked.url,
    CONTROL_PLANE_URL: forwarded.url,
  });
  return {
    gateway,
    asked,
    forwarded,
    apiKey: stack.apiKey,
    async stop() {
      await gateway.stop();
      await asked.stop();
      await forwarded.stop();
      await stack.stop();
    },
  };
}
