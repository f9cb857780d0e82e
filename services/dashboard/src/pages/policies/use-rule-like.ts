import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { evidenceQuery, logQuery } from '../../api/logs.ts';
import type { Rule } from '../../api/policies.ts';
import { ruleLike } from './rule-like.ts';

/** Adds a rule like the check that a link names, once, and takes the check out of the address. */
export function useRuleLike(like: string | undefined, isReady: boolean, add: (rule: Rule) => void): void {
  const navigate = useNavigate();
  const enabled = like !== undefined;
  const log = useQuery({ ...logQuery(like ?? ''), enabled });
  const evidence = useQuery({ ...evidenceQuery(like ?? ''), enabled });
  const found = log.data?.log;
  const isKnown = evidence.isSuccess || evidence.isError;
  const taken = useRef<string>(undefined);
  useEffect(() => {
    if (!isReady || !found || !isKnown || taken.current === like) return;
    taken.current = like;
    add(ruleLike(found, evidence.data?.ip_kind ?? null));
    void navigate({ to: '/rules/policies', search: {}, replace: true, ignoreBlocker: true });
  }, [like, isReady, found, isKnown, evidence.data, add, navigate]);
}
