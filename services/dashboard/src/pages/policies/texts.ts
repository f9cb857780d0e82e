export const RULES_TEXTS = {
  unsaved: (version: number | null) =>
    version === null ? 'Not saved yet.' : `Unsaved changes to version ${version}.`,
  name: 'Name',
  outcomes: [
    { value: 'at_least', label: 'at least' },
    { value: 'at_most', label: 'at most' },
    { value: 'exactly', label: 'exactly' },
    { value: 'watch', label: 'only watch' },
  ],
  kinds: [
    { value: 'all', label: 'all of these' },
    { value: 'any', label: 'any of these' },
  ],
  field: 'Field',
  fieldGroups: { check: 'Check', signals: 'Signals', seen: 'Seen lately', other: 'Other' },
  comparison: 'Comparison',
  comparisons: {
    eq: 'is',
    ne: 'is not',
    gte: 'is at least',
    lte: 'is at most',
    in: 'is one of',
    under: 'is or is below',
    has: 'include',
  } as Readonly<Record<string, string>>,
  value: 'Value',
};

export const VERSIONS_TEXTS = {
  states: { live: 'live', shadow: 'shadow', idle: 'not used' },
  stateTexts: {
    live: 'Decides every check.',
    shadow: 'Runs beside the live version and changes nothing.',
    idle: 'Not used for any check.',
  },
};

export const LIVE_TEXTS = {
  title: (version: number | null) =>
    version === null ? 'Turn the policy off' : `Make version ${version} live`,
  from: (live: number | null) =>
    live === null
      ? 'No version is live now. These rules start:'
      : `Compared with version ${live}, which is live now:`,
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' },
  immediately: 'Takes effect with the next check.',
  noneText: 'From the next check on, only scores and your lists decide.',
  submit: (version: number | null) => (version === null ? 'Turn off' : `Make version ${version} live`),
  done: (version: number | null) => (version === null ? 'No policy is live' : `Version ${version} is live`),
  back: (version: number | null) => (version === null ? 'Back to no policy' : `Back to version ${version}`),
};

export const MATRIX_TEXTS = {
  cell: (count: string, before: string, after: string) =>
    `${count}: ${before} ${before === after ? 'stays' : 'becomes'} ${after}. Show them`,
};

export const BACKTEST_TEXTS = {
  reasons: {
    erased: 'the address was erased',
    expired: 'the address is older than your plan keeps it',
    earlier_release: 'stored by an earlier release',
    no_network: 'the IP is not stored',
    no_mx: 'the mail servers are not stored',
  },
};

export const TRY_TEXTS = {
  now: (live: number | null) => (live === null ? 'Without a policy' : `Live version ${live}`),
};
