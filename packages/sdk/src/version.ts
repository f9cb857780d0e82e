/** The release of this client; a test compares it with package.json. */
export const VERSION = '0.2.0';
