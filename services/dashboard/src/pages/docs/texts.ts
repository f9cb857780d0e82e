export const DOCS_TEXTS = {
  title: 'Docs',
  dashboard: 'Open dashboard',
  navigation: 'Guides',
  reference: 'API reference',
  search: 'Search the docs',
  found: 'Search results',
  none: 'No matching section.',
  skip: 'Skip to the page',
};
