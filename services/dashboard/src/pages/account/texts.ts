export const ACCOUNT_TEXTS = {
  name: 'Name',
};

export const TWO_FACTOR_TEXTS = {
  turnOn: 'Turn on',
};

export const LEAVING_TEXTS = {
  consequence:
    'Your API keys stop working immediately. Keys, lists, checked addresses and logins are removed; statements, invoices and totals stay because they were billed. You cannot undo this.',
};
