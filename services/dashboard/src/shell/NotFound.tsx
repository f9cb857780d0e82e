import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/page/EmptyState.tsx';
import { PageHeader } from '../ui/page/PageHeader.tsx';

export function NotFound() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState title={window.location.pathname} text="There is no page at this address.">
        <Link to="/">Go to overview</Link>
      </EmptyState>
    </>
  );
}
