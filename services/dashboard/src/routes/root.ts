import { createRootRoute } from '@tanstack/react-router';
import { NotFound } from '../shell/NotFound.tsx';

/** The parent of every route. */
export const root = createRootRoute({ notFoundComponent: NotFound });
