export const LOGIN_TEXTS = {
  title: 'Log in',
  email: 'Email',
  password: 'Password',
  submit: 'Log in',
  ended: 'Your session has ended. Log in again; you will be back where you were.',
  noAccount: 'No account yet?',
  toRegister: 'Register',
  closed: 'Sign-up is closed here: ask the operator for an account.',
};

export const REGISTER_TEXTS = {
  title: 'Register',
  intro: 'An account on the free plan, with nothing to pay and nothing to confirm.',
  name: 'Name (optional)',
  email: 'Email',
  password: 'Password',
  passwordHint: 'At least 10 characters, and not a common one.',
  submit: 'Register',
  haveAccount: 'Have an account already?',
  toLogin: 'Log in',
  closed: 'Sign-up is closed here. Ask the operator for an account.',
};
