import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';

export interface SmallAccount extends SeededAccount {
  /** Checks of a month, as plans.json has it. */
  readonly limit: number;
}

/** A second account of the stack, whose month a test can use up. */
export const seedSmallAccount = async (stack: TestStack): Promise<SmallAccount> => ({
  ...(await stack.createAccount('small')),
  limit: 40,
});
