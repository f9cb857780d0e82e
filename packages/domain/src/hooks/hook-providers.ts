import { auth0 } from './auth0.js';
import { clerk } from './clerk.js';
import { generic } from './generic.js';
import type { HookProvider } from './hook-provider.js';
import { kratos } from './kratos.js';
import { supabase } from './supabase.js';
import { workos } from './workos.js';

export const HOOK_PROVIDERS = { supabase, workos, kratos, auth0, clerk, generic } as const satisfies Record<
  string,
  HookProvider
>;
