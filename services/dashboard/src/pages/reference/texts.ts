export const REFERENCE_TEXTS = {
  authNames: { apiKey: 'API key', bearer: 'session', none: 'none' },
  required: 'required',
  optional: 'optional',
};
