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

export const DANGER_TEXTS = {
  title: 'Leave this browser',
  note: 'Ends the session of this browser, in all its tabs.',
  submit: 'Log out',
};
