export const LOGIN_TEXTS = {
  docs: 'Read the docs',
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  submit: 'Log in',
  ended: 'Your session has ended. Log in to continue where you were.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  closed: 'Registration is closed here. Ask the operator for an account.',
  forgotten: 'Forgot your password?',
  code: 'Code',
  codeHint: 'Six digits from your authenticator app, or a recovery code.',
};

export const MAIL_TEXTS = {
  registered:
    'Check your inbox. Open the link within 24 hours and enter your password to finish. If you already have an account, the mail says so.',
  forgotTitle: 'Forgot your password',
  forgotIntro: 'Enter your email for a reset link, valid for one hour.',
  forgotSubmit: 'Send reset link',
  forgotSent: 'Check your inbox. If this address has an account, a reset link is on its way.',
  resetTitle: 'Set a new password',
  resetSubmit: 'Set password',
  resetDone: 'Your new password is set. All sessions were logged out.',
  activateTitle: 'Confirm your address',
  activateIntro: 'Enter the password you chose when you registered.',
  activateSubmit: 'Confirm and log in',
  confirmTitle: 'Confirm your address',
  confirming: 'Confirming your address…',
  confirmed: 'Your address is confirmed.',
  newPassword: 'New password',
  noToken: 'This link is incomplete. Copy the whole link from the mail.',
  toLogin: 'Log in',
  toDashboard: 'Go to the dashboard',
};

export const REGISTER_TEXTS = {
  title: 'Register',
  intro: 'Free: 1,000 checks a month, no card.',
  name: 'Name (optional)',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 10 characters. Common passwords are refused.',
  submit: 'Register',
  haveAccount: 'Already have an account?',
  toLogin: 'Log in',
  closed: 'Registration is closed here. Ask the operator for an account.',
};
