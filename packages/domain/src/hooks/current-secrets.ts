/** Secrets that are valid together, separated by bars as Supabase writes them: both hold while one replaces the other. */
export const currentSecrets = (secret: string): readonly string[] =>
  secret.split('|').filter((one) => one !== '');

/** The one to sign with. */
export const newestSecret = (secret: string): string => currentSecrets(secret)[0] ?? '';
