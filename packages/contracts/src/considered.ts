import { type Static, Type } from 'typebox';

/** Facts beside the address itself that can change a decision. */
const CONSIDERED = ['lists', 'policy', 'bursts', 'ip'] as const;

/** Part of every answer that says what a check would get, so that readers do not take it for more than it is. */
export const ConsideredSchema = Type.Array(Type.Enum([...CONSIDERED]), {
  description:
    'Facts taken into account: your lists, your policy, counted repetitions, the network of the IP',
});
export type Considered = Static<typeof ConsideredSchema>;
