export const LOGIN_TEXTS = {
  email: 'Email',
  password: 'Password',
  signOn: 'Log in with single sign-on',
};

export const MAIL_TEXTS = {
  noToken: 'This link is incomplete. Copy the whole link from the mail.',
};

export const REGISTER_TEXTS = {
  passwordHint: 'At least 10 characters. Common passwords are refused.',
};
