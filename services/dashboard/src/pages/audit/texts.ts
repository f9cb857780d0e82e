/** Customers learn that an operator acted, not which one. */
export const OPERATOR = 'operator';

export const AUDIT_TEXTS = {
  subjects: {
    user: 'Logins and passwords',
    session: 'Sessions',
    account: 'Account',
    member: 'Members',
    key: 'Keys',
    list: 'Lists',
    policy: 'Policies',
    subscription: 'Plans',
    billing: 'Billing',
    webhook: 'Webhooks',
    hook: 'Sign-up hooks',
    job: 'Bulk jobs',
    operator: 'Operator actions',
  },
};
