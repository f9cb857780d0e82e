export const BILLING_TEXTS = {
  plans: 'Plans',
  name: 'Plan',
  perMonth: 'Checks a month',
  perSecond: 'Checks a second',
  retention: 'Checks kept',
  rows: 'Rows a file',
  entries: 'Entries a list',
  days: (days: string) => `${days} days`,
  price: 'Price a month',
  beyond: 'Over quota',
  priceToCome: (plan: string, day: string, price: string, over: string | null) =>
    `From ${day} the ${plan} plan costs ${price} a month${over ? `, and ${over} per 1,000 checks over quota` : ''}.`,
  noStatementsText: (day: string) => `The first arrives shortly after ${day}.`,
};

export const INVOICES_TEXTS = {
  kinds: { invoice: 'invoice', credit_note: 'credit note' },
  statuses: { open: 'open', overdue: 'overdue', paid: 'paid' },
};

export const CHANGE_TEXTS = {
  up: (checks: string, amount: string, days: string, included: string, whole: string) =>
    `Starts now with ${checks} checks a month. This month: ${amount} for ${days}, with ${included} checks. If you use more, the price rises with it, to ${whole} at most.`,
  down: (day: string) => `Starts on ${day}. You keep the current plan with all its checks until then.`,
  operator: 'Sends a request to the operator. Nothing changes until it is granted.',
  submit: (plan: string, price: string) =>
    price === 'free' ? `Change to ${plan}` : `Change to ${plan}, ${price} a month`,
};

export const STATEMENT_TEXTS = {
  lateLine: (month: string) => `late checks of ${month}`,
  overageLine: (checks: string, price: string) => `${checks} checks over quota, ${price} per 1,000`,
};

export const SPENDING_TEXTS = {
  stop: 'Stop at',
  mailAt: 'Mail at',
  blocks: (checks: string) => `Your plan stops at ${checks} checks and never bills more.`,
  capHint: (included: string) =>
    `Checks a month, ${included} or more. Further checks are refused until the month ends. Leave empty to stop where the plan does.`,
  mailHint: 'Percentages of the checks that your plan includes. Mails go to the invoice email.',
  noMail: 'Percentages of the checks that your plan includes. This server sends no mail.',
};
