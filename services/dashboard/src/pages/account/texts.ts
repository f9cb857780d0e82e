export const ACCOUNT_TEXTS = {
  title: 'Account',
  you: 'You',
  name: 'Name',
  noName: 'not given',
  email: 'Email',
  since: 'Registered (UTC)',
  account: 'Account',
  accountId: 'Account id',
  plan: 'Plan',
  loading: 'Loading',
  failed: 'The account could not be loaded',
};

export const PASSWORD_TEXTS = {
  title: 'Password',
  note: 'A new password ends every other session at once.',
  current: 'Current password',
  next: 'New password',
  hint: 'At least 10 characters, and not a common one.',
  submit: 'Change password',
  done: 'The password is changed',
  doneText: 'Every other session has ended.',
};

export const SESSIONS_TEXTS = {
  title: 'Sessions',
  note: 'Where you are logged in. Ending a session holds at once.',
  loading: 'Loading sessions',
  where: 'Browser',
  unknown: 'unknown',
  this: 'this one',
  ip: 'From',
  lastUse: 'Last use (UTC)',
  since: 'Since (UTC)',
  actions: 'Actions',
  end: 'End session',
  endOthers: 'End all others',
  ended: 'The session has ended',
  endedOthers: (count: string) => `${count} ended`,
  failed: 'The session was not ended',
};

export const PROOF_TEXTS = {
  password: 'Password',
  code: 'Code',
  codeHint: 'Six digits of your authenticator app, or a recovery code.',
};

export const SECOND_FACTOR_TEXTS = {
  title: 'Second factor',
  loading: 'Loading the second factor',
  note: 'A code of an authenticator app beside the password.',
  isOn: (codes: string) => `It is on: every login asks for a code. You have ${codes} left.`,
  isOff: 'It is off: the password alone is enough to log in.',
  unavailable: 'This server cannot keep the secret of an app; its operator has to set SECRETS_KEY.',
  turnOn: 'Turn on',
  onTitle: 'Turn on the second factor',
  turnOff: 'Turn off',
  offText: 'After this the password alone is enough to log in.',
  offDone: 'The second factor is off',
  next: 'Go on',
  scan: 'Scan this with your authenticator app, or type the secret into it. Then enter the first code.',
  qr: 'QR code for an authenticator app',
  secret: 'Secret',
  first: 'First code of the app',
  codes: 'Recovery codes',
  codesText:
    'Each of these lets you in once if you lose the app. They are shown this once: store them where you keep passwords.',
  stored: 'I have stored them',
  newCodes: 'New recovery codes',
  newCodesText: 'The codes that you have now will end.',
};

export const CONFIRM_TEXTS = {
  confirmed: 'confirmed',
  unconfirmed: 'not confirmed',
  ask: 'Send a link',
  sent: 'A link is on its way to your address',
  failed: 'No link was sent',
};

export const LEAVING_TEXTS = {
  title: 'Your data',
  note: 'Everything that is kept of this account, as one JSON object a line.',
  export: 'Export everything',
  danger: 'Danger zone',
  delete: 'Delete account',
  consequence:
    'Every API key stops working at once. Keys, lists, logs of addresses and logins are removed; statements, invoices and counts stay, because they were billed. This cannot be undone.',
  confirm: 'Email address of the account',
};

export const LOG_OUT_TEXTS = {
  title: 'Leave this browser',
  note: 'Ends the session of this browser, in all its tabs.',
  submit: 'Log out',
};
