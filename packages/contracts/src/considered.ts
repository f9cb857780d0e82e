import { type Static, Type } from 'typebox';

/** What a decision can rest on beside the address itself. */
const CONSIDERED = ['lists', 'policy', 'bursts', 'ip'] as const;

/** Part of every answer that says what a check would get, so that nobody takes it for more than it is. */
export const ConsideredSchema = Type.Array(Type.Enum([...CONSIDERED]), {
  description:
    'What was taken into account: your lists, your policy, counted repetitions, the network of the IP',
});
export type Considered = Static<typeof ConsideredSchema>;
