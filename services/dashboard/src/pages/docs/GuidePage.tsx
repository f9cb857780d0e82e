import { getRouteApi, useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { NotFound } from '../../shell/NotFound.tsx';
import classes from './GuidePage.module.css';
import { GUIDES, isGuide } from './guides.ts';

const route = getRouteApi('/docs/$guide');

/** Stand for this server in the samples. */
const HOST = /https:\/\/YOUR-VERDICT|http:\/\/localhost:8080/g;

/** One guide. Its HTML comes from our own Markdown, at build time. */
export function GuidePage() {
  const { guide } = route.useParams();
  const router = useRouter();
  const hash = useRouterState({ select: (state) => state.location.hash });
  const page = isGuide(guide) ? GUIDES[guide] : null;
  useEffect(() => {
    document.title = `${page?.title ?? 'Docs'} · Verdict`;
    if (page && hash) document.getElementById(hash)?.scrollIntoView();
  }, [page, hash]);
  if (!page) return <NotFound />;
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== window.location.origin || event.metaKey || event.ctrlKey) return;
    if (link.pathname.startsWith('/sdk/')) return;
    event.preventDefault();
    void router.navigate({ href: `${link.pathname}${link.hash}` });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link turns Enter into a click
    <article
      className={classes.guide}
      onClick={follow}
      dangerouslySetInnerHTML={{ __html: page.html.replaceAll(HOST, window.location.origin) }}
    />
  );
}
