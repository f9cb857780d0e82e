import { API_PREFIX } from '@verdict/contracts/api-paths.js';
import type { Route } from '@verdict/contracts/routes/route.js';

/** `/dashboard/keys/:id/` as OpenAPI writes it. */
export const documentedPath = ({ path }: Pick<Route, 'path'>): string =>
  `${API_PREFIX}${path.replaceAll(/:(\w+)/g, '{$1}')}`;

/**
 * `GET /api/v1/dashboard/keys/{id}/` is getDashboardKeysById. Made by rule, so that a new route has a name that no other
 * has, and a generated client keeps its methods as long as the paths stay.
 */
export function operationId(method: string, path: string): string {
  const words = path
    .slice(API_PREFIX.length)
    .split('/')
    .filter(Boolean)
    .map((segment) => (segment.startsWith('{') ? `by-${segment.slice(1, -1)}` : segment))
    .flatMap((segment) => segment.split(/[^a-zA-Z0-9]+/));
  return [method.toLowerCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '',
  );
}
