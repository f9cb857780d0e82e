import { createRootRoute } from '@tanstack/react-router';
import { GuestNotFound } from '../shell/GuestNotFound.tsx';

/** The parent of every route. */
export const root = createRootRoute({ notFoundComponent: GuestNotFound });
