import { TextInput } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Wordmark } from '../../shell/Wordmark.tsx';
import classes from './DocsLayout.module.css';
import { findSections } from './find-sections.ts';
import { GUIDES } from './guides.ts';

/** The frame of the public documentation. It needs no session. */
export function DocsLayout() {
  const [sought, setSought] = useState('');
  const path = useRouterState({ select: ({ location }) => `${location.pathname}#${location.hash}` });
  useEffect(() => setSought(''), [path]);
  return (
    <div className={classes.docs}>
      <a className={classes.skip} href="#content">
        Skip to the page
      </a>
      <header className={classes.top}>
        <Link to="/docs/$guide" params={{ guide: 'quickstart' }} className={classes.home}>
          <Wordmark />
          <span>Docs</span>
        </Link>
        <TextInput
          type="search"
          size="xs"
          className={classes.search ?? ''}
          aria-label="Search the docs"
          placeholder="Search the docs"
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
        />
        <Link to="/">Open dashboard</Link>
      </header>
      <div className={classes.columns}>
        {sought.trim() ? <Results sought={sought} /> : <Contents />}
        <main id="content" className={classes.page} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

const active = { 'aria-current': 'page' } as const;

const Contents = () => (
  <nav className={classes.side} aria-label="Guides">
    <ul>
      {Object.entries(GUIDES).map(([guide, { title }]) => (
        <li key={guide}>
          <Link to="/docs/$guide" params={{ guide }} activeProps={active}>
            {title}
          </Link>
        </li>
      ))}
      <li>
        <Link to="/docs/reference" activeProps={active}>
          API reference
        </Link>
      </li>
    </ul>
  </nav>
);

function Results({ sought }: { sought: string }) {
  const found = findSections(GUIDES, sought);
  return (
    <nav className={classes.side} aria-label="Search results">
      {found.length === 0 && <p role="status">No matching section.</p>}
      <ul>
        {found.map(({ guide, id, title, excerpt }) => (
          <li key={`${guide} ${id}`}>
            <Link to="/docs/$guide" params={{ guide }} hash={id}>
              {title}
              <small>{excerpt}</small>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
