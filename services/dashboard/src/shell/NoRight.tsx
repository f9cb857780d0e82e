import { Link, Navigate } from '@tanstack/react-router';
import { firstPageOf } from '@verdict/contracts/pages.js';
import type { Role } from '@verdict/domain/role.js';
import { EmptyState } from '../ui/page/EmptyState.tsx';

/** In place of a page that the role of this user does not open. In place of the front page their first one opens. */
export function NoRight({ isFront, role }: { isFront: boolean; role: Role }) {
  const { to, label } = firstPageOf(role);
  if (isFront) return <Navigate to={to} replace />;
  return (
    <EmptyState
      title="This page is not for your role"
      text={`Your role in this account is ${role}. Ask an owner to change it.`}
    >
      <Link to={to}>Go to {label}</Link>
    </EmptyState>
  );
}
