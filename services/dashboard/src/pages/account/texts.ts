export const ACCOUNT_TEXTS = {
  title: 'Account',
  you: 'You',
  name: 'Name',
  noName: 'not set',
  email: 'Email',
  since: 'Registered (UTC)',
  account: 'Account',
  accountId: 'Account id',
  plan: 'Plan',
  loading: 'Loading',
  failed: 'Could not load the account',
};

export const PASSWORD_TEXTS = {
  title: 'Password',
  note: 'Changing it logs you out everywhere else.',
  current: 'Current password',
  next: 'New password',
  hint: 'At least 10 characters. Common passwords are refused.',
  submit: 'Change password',
  done: 'Password changed',
  doneText: 'All other sessions were logged out.',
};

export const SESSIONS_TEXTS = {
  title: 'Sessions',
  note: 'Where you are logged in. Ended sessions are logged out immediately.',
  loading: 'Loading sessions',
  where: 'Browser',
  unknown: 'unknown',
  this: 'this one',
  ip: 'From',
  lastUse: 'Last used (UTC)',
  since: 'Since (UTC)',
  actions: 'Actions',
  end: 'End session',
  endOthers: 'End all others',
  ended: 'Session ended',
  endedOthers: (count: string) => `${count} ended`,
  failed: 'Could not end the session',
};

export const PROOF_TEXTS = {
  password: 'Password',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or a recovery code.',
};

export const TWO_FACTOR_TEXTS = {
  title: 'Two-factor authentication',
  loading: 'Loading two-factor authentication',
  note: 'Ask for a code from an authenticator app at login.',
  isOn: (codes: string) => `On. ${codes} left.`,
  isOff: 'Off. Your password alone opens this account.',
  unavailable: 'Not available here: the server has no SECRETS_KEY.',
  turnOn: 'Turn on',
  onTitle: 'Turn on two-factor authentication',
  turnOff: 'Turn off',
  offTitle: 'Turn off two-factor authentication',
  offText: 'Your password alone will open this account.',
  offDone: 'Two-factor authentication is off',
  next: 'Continue',
  scan: 'Scan this with your authenticator app, or type the secret into it.',
  qr: 'QR code for an authenticator app',
  secret: 'Secret',
  first: 'Six-digit code',
  codes: 'Recovery codes',
  codesText: 'Each code works once if you lose your phone. Save them now; they are not shown again.',
  stored: 'I have stored them',
  newCodes: 'New recovery codes',
  newCodesText: 'Your current codes stop working.',
};

export const SCORING_TEXTS = {
  title: 'Scoring',
  note: 'Changes apply to the next check.',
  loading: 'Loading scoring settings',
  bursts: 'Score repeated sign-ups',
  burstsHint:
    'Challenges the third spelling of a mailbox within 7 days, and numbered addresses such as user01 and user02 at one domain.',
  ip_intelligence: 'Look up IP addresses',
  ip_intelligenceHint:
    'Shows the network behind an IP address, also to rules of your policy. It does not change the score.',
  failed: 'Could not change the setting',
};

export const NAME_TEXTS = { title: 'Change your name', edit: 'Change', submit: 'Save name' };

export const EMAIL_TEXTS = {
  title: 'Change your email',
  edit: 'Change',
  next: 'New email',
  byLink: 'You get a link at the new address. The change takes effect when you open it.',
  direct: 'You log in with the new address from now on.',
  submit: 'Change email',
  linkSent: (email: string) => `Check the inbox of ${email} for the link`,
  done: 'Email changed',
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed',
  ask: 'Send confirmation link',
  sent: 'Check your inbox for the link',
  failed: 'Could not send the link',
};

export const LEAVING_TEXTS = {
  title: 'Your data',
  note: 'Everything stored about this account, as JSON Lines.',
  export: 'Export everything',
  danger: 'Danger zone',
  delete: 'Delete account',
  consequence:
    'Your API keys stop working immediately. Keys, lists, checked addresses and logins are removed; statements, invoices and totals stay because they were billed. You cannot undo this.',
  confirm: 'Email address of the account',
};

export const LOG_OUT_TEXTS = {
  title: 'Log out',
  note: 'Ends this session in every tab.',
  submit: 'Log out',
};
