import type { Hook } from '../../api/hooks.ts';

/** The whole URL: hooks are received where this page comes from. */
export const hookAddress = ({ url }: Hook): string => new URL(url, window.location.origin).href;
