import type { TestStack } from '@verdict/local-stack/start-stack.js';

/** Lets a user who is logged in into the operator area, as if a code had been shown in each login. */
export async function makeOperator({ sql }: Pick<TestStack, 'sql'>, email: string): Promise<void> {
  await sql(
    `WITH made AS (UPDATE users SET operator = true WHERE email = $1 RETURNING id),
       shown AS (UPDATE sessions SET second_factor = true FROM made WHERE user_id = made.id)
     INSERT INTO second_factors (user_id, sealed, confirmed_at) SELECT id, 'x', now() FROM made`,
    [email],
  );
}
