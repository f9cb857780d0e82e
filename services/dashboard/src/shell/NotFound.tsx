import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { PageHeader } from '../ui/page/PageHeader.tsx';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

export function NotFound() {
  return (
    <>
      <PageHeader title={TEXTS.notFound} />
      <EmptyState title={window.location.pathname} text={TEXTS.notFoundText}>
        <Link to="/">{TEXTS.toOverview}</Link>
      </EmptyState>
    </>
  );
}
