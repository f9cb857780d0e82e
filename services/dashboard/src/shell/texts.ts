export const SHELL_TEXTS = {
  paletteField: 'Page, key, address, domain or id',
};
