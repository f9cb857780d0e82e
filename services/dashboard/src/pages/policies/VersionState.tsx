import type { Policy } from '../../api/policies.ts';
import { StateMark } from '../../ui/page/StateMark.tsx';
import { VERSIONS_TEXTS as TEXTS } from './texts.ts';

const MARKS = { live: 'good', shadow: 'waiting', idle: 'off' } as const;

export const VersionState = ({ state }: Pick<Policy, 'state'>) => (
  <StateMark state={MARKS[state]}>{TEXTS.states[state]}</StateMark>
);
