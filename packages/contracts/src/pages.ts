/** The first part of every address that the web application has a page for. */
export const PAGES: readonly string[] = [
  '',
  'login',
  'register',
  'forgot-password',
  'reset-password',
  'activate',
  'confirm-address',
  'docs',
  'playground',
  'logs',
  'refused',
  'bulk',
  'keys',
  'lists',
  'policies',
  'hooks',
  'webhooks',
  'usage',
  'billing',
  'audit',
  'account',
  'operator',
];

export const isPage = (path: string): boolean => PAGES.includes(path.split('/')[1] ?? '');
