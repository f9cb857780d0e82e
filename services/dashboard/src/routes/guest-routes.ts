import { createRoute } from '@tanstack/react-router';
import { LoginPage } from '../pages/login/LoginPage.tsx';
import { RegisterPage } from '../pages/login/RegisterPage.tsx';
import { arrivedWith } from '../shell/arrived-with.ts';
import { knowSession, requireNoSession } from '../shell/gate.ts';
import { lazyPage } from '../shell/lazy-page.ts';
import { ownPath } from '../shell/search-params.ts';
import { root } from './root.ts';

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { next?: string; ended?: true } => ({
    ...ownPath(search, 'next'),
    ...(search.ended === true ? { ended: true } : {}),
  }),
  beforeLoad: ({ search }) => requireNoSession(search.next),
  component: LoginPage,
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  beforeLoad: () => requireNoSession(undefined),
  component: RegisterPage,
});

/** The pages that links in mails open, with or without a login. */
const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyPage(() => import('../pages/login/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(() => import('../pages/login/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
});

const activate = createRoute({
  getParentRoute: () => root,
  path: '/activate',
  component: lazyPage(() => import('../pages/login/ActivatePage.tsx'), 'ActivatePage'),
});

const confirmAddress = createRoute({
  getParentRoute: () => root,
  path: '/confirm-address',
  component: lazyPage(() => import('../pages/login/ConfirmAddressPage.tsx'), 'ConfirmAddressPage'),
});

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  beforeLoad: knowSession,
  component: lazyPage(() => import('../pages/login/JoinPage.tsx'), 'JoinPage'),
});

/** The page that identity providers send people back to. */
const signOn = createRoute({
  getParentRoute: () => root,
  path: '/sso',
  loader: () => ({ query: arrivedWith }),
  component: lazyPage(() => import('../pages/login/SignOnPage.tsx'), 'SignOnPage'),
});

/** Pages for people without a session. */
export const guestRoutes = [
  login,
  register,
  forgotPassword,
  resetPassword,
  activate,
  confirmAddress,
  join,
  signOn,
];
