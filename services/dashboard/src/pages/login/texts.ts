export const LOGIN_TEXTS = {
  docs: 'Read the docs',
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  submit: 'Log in',
  ended: 'Your session has ended. Log in again; you will be back where you were.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  closed: 'Sign-up is closed here: ask the operator for an account.',
  forgotten: 'Forgot the password?',
  code: 'Code',
  codeHint: 'Six digits of your authenticator app, or a recovery code.',
};

export const MAIL_TEXTS = {
  sent: 'Look into your mail',
  registered:
    'If this address is new here, a link is on its way to it. Open it within 24 hours and enter your password; then you are in. If you have an account already, the mail says so.',
  forgotTitle: 'Forgot the password',
  forgotIntro: 'Where shall the link go? It is good for one hour.',
  forgotSubmit: 'Send the link',
  forgotSent:
    'If somebody is registered with this address, a link to set a new password is on its way to it.',
  resetTitle: 'Set a new password',
  resetSubmit: 'Set the password',
  resetDone: 'The password is set, and every session has ended.',
  activateTitle: 'Confirm your address',
  activateIntro: 'Enter the password that you chose when you registered.',
  activateSubmit: 'Confirm and log in',
  confirmTitle: 'Confirm your address',
  confirming: 'The address is being confirmed.',
  confirmed: 'The address is confirmed.',
  newPassword: 'New password',
  noToken: 'This page needs the whole link from the mail.',
  toLogin: 'Log in',
  toDashboard: 'To the dashboard',
};

export const REGISTER_TEXTS = {
  title: 'Register',
  intro: 'An account on the free plan, with nothing to pay.',
  name: 'Name (optional)',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 10 characters, and not a common one.',
  submit: 'Register',
  haveAccount: 'Have an account already?',
  toLogin: 'Log in',
  closed: 'Sign-up is closed here. Ask the operator for an account.',
};
