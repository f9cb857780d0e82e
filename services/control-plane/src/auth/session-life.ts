import type { SessionLife } from '@verdict/db/people/sessions.js';
import type { ControlPlaneConfig } from '../config.js';

export const sessionLife = (
  config: Pick<ControlPlaneConfig, 'REFRESH_TOKEN_SECONDS' | 'SESSION_SECONDS'>,
): SessionLife => ({ idleSeconds: config.REFRESH_TOKEN_SECONDS, totalSeconds: config.SESSION_SECONDS });
