export const POLICIES_TEXTS = {
  title: 'Policies',
  intro:
    'Your own rules move the decision of a check. Lists come first; then the first rule that matches decides.',
  loading: 'Loading the policies',
  failed: 'Could not load the policies',
  missing: (version: number) => `There is no version ${version}`,
  missingText: 'Choose one of your versions.',
  toLive: 'Show the live version',
  save: 'Save as new version',
  saved: (version: number) => `Version ${version} saved`,
  savedText: 'It changes no check until you make it live.',
  saveFailed: 'Could not save the rules',
  leave: 'Leave without saving the rules?',
};

export const PRESET_TEXTS = {
  add: 'Add a preset',
};

export const RULES_TEXTS = {
  title: 'Rules',
  of: (version: number) => `Version ${version}.`,
  unsaved: (version: number | null) =>
    version === null ? 'Not saved yet.' : `Unsaved changes to version ${version}.`,
  add: 'Add rule',
  discard: 'Discard changes',
  empty: 'No rules yet',
  emptyText: 'Begin with a rule or a preset. A rule with “only watch” counts matches and changes nothing.',
  none: 'This version has no rules: every check keeps the decision of its score.',
  first:
    'The first rule that matches decides. Drag a rule, or press Alt and an arrow key, to change the order.',
  up: (name: string) => `Move ${name} up`,
  down: (name: string) => `Move ${name} down`,
  drag: 'Drag to another place',
  edit: (name: string) => `Edit ${name}`,
  remove: (name: string) => `Remove ${name}`,
  moved: (name: string, place: number, count: number) => `${name} is now rule ${place} of ${count}`,
  removed: (name: string) => `${name} removed`,
  effect: (today: string, week: string) => `Matched ${today} today, ${week} in 7 days.`,
  showChecks: 'Show the checks',
  done: 'Done',
  name: 'Name',
  when: 'When',
  then: 'Then',
  outcome: 'Outcome',
  decision: 'Decision',
  ends: 'Ends (UTC, optional)',
  end: 'The end',
  outcomes: [
    { value: 'at_least', label: 'at least' },
    { value: 'at_most', label: 'at most' },
    { value: 'exactly', label: 'exactly' },
    { value: 'watch', label: 'only watch' },
  ],
  kind: 'Match',
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
  listHint: 'Separate with commas',
  chooseKey: 'Choose a key',
  chooseCountry: 'Choose a country',
  unknownNetwork: 'not known',
  yes: 'true',
  no: 'false',
  condition: (place: number) => `Condition ${place}`,
  group: (place: number) => `Group ${place}`,
  addCondition: 'Add condition',
  addGroup: 'Add group',
  removeCondition: (place: number) => `Remove condition ${place}`,
  removeGroup: 'Remove group',
  note: 'Note (optional)',
  noteHint: 'Why these rules. Shown with the version.',
  noteWord: 'Note',
  json: 'JSON',
  jsonLabel: 'Rules as JSON',
  jsonHint: 'Changes here appear in the rules above as soon as the JSON is complete.',
};

export const VERSIONS_TEXTS = {
  title: 'Versions',
  note: 'A version never changes. The newest is at the top.',
  loading: 'Loading the versions',
  failed: 'Could not load the versions',
  version: 'Version',
  state: 'State',
  states: { live: 'live', shadow: 'shadow', idle: 'not used' },
  rules: 'Rules',
  noteColumn: 'Note',
  created: 'Saved (UTC)',
  this: (version: number) => `Version ${version}`,
  stateTexts: {
    live: 'Decides every check.',
    shadow: 'Runs beside the live version and changes nothing.',
    idle: 'Not used for any check.',
  },
  noPolicy: 'No version is live: every check keeps the decision of its score.',
  live: 'Make live',
  back: (version: number) => `Back to version ${version}`,
  none: 'Turn off',
  shadow: 'Run in shadow',
  shadowSet: (version: number) => `Version ${version} runs in shadow`,
  shadowSetText: 'It changes no decision. The report on this page counts what it would change.',
  shadowEnded: 'No version runs in shadow',
  shadowEndedText: 'Decisions stay as they are.',
  shadowFailed: 'Could not change the shadow version',
};

export const LIVE_TEXTS = {
  title: (version: number | null) =>
    version === null ? 'Turn the policy off' : `Make version ${version} live`,
  from: (live: number | null) =>
    live === null
      ? 'No version is live now. These rules start:'
      : `Compared with version ${live}, which is live now:`,
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' },
  same: 'The rules are the same.',
  loading: 'Loading the live version',
  immediately: 'Takes effect with the next check.',
  noneText: 'From the next check on, only scores and your lists decide.',
  submit: (version: number | null) => (version === null ? 'Turn off' : `Make version ${version} live`),
  conflict:
    'Somebody else changed the live version meanwhile. The comparison above is up to date now: read it, then try again.',
  blocks: (share: string) => `This version would block ${share} of your last 1,000 checks.`,
  really: 'Make it live although it blocks so many',
  done: (version: number | null) => (version === null ? 'No policy is live' : `Version ${version} is live`),
  back: (version: number | null) => (version === null ? 'Back to no policy' : `Back to version ${version}`),
  backFailed: 'Could not go back',
};

export const MATRIX_TEXTS = {
  label: (title: string) => `${title}: decisions that were made and those of this version`,
  corner: 'Was',
  opens:
    'Rows are the decisions that were made, columns those of this version. A number opens up to 50 of its checks.',
  cell: (count: string, before: string, after: string) =>
    `${count}: ${before} ${before === after ? 'stays' : 'becomes'} ${after}. Show them`,
  rules: 'Checks that each rule matches',
  changes: (changed: string, judged: string, share: string) =>
    `${changed} of ${judged} decisions would change (${share}).`,
  same: (judged: string) => `No decision of ${judged} would change.`,
};

export const BACKTEST_TEXTS = {
  title: 'The last 30 days',
  loading: 'Loading the backtest',
  failed: 'Could not load the backtest',
  none: 'Judge the checks of the last 30 days by this version. It changes no check.',
  unsaved: (version: number) => `For version ${version}, without your unsaved changes.`,
  run: 'Run backtest',
  again: 'Run again',
  startFailed: 'Could not start the backtest',
  queued: 'Waiting to start.',
  progress: 'Progress of the backtest',
  running: (share: string, judged: string) => `${share} done, ${judged} judged.`,
  broken: 'The backtest stopped. Run it again.',
  empty: 'You have no checks of these days.',
  between: (from: string, to: string) => `Checks from ${from} to ${to}.`,
  leftOut: (left: string, all: string) => `${left} of ${all} could not be judged:`,
  lookedUp: (checks: string) =>
    `${checks} had no network stored. They are judged by the network that their IP has today.`,
  reasons: {
    erased: 'the address was erased',
    expired: 'the address is older than your plan keeps it',
    earlier_release: 'stored by an earlier release',
    no_network: 'the IP is not stored',
  },
};

export const SHADOW_TEXTS = {
  title: (version: number) => `Version ${version} in shadow`,
  name: 'Shadow',
  end: 'End shadow',
  since: (day: string) => `Checks since ${day} UTC.`,
  empty: 'It has judged no check yet.',
};

export const TRY_TEXTS = {
  title: 'Try an address',
  note: 'By the rules on this page, saved or not. It is not counted and not logged.',
  email: 'Email address',
  ip: 'IP (optional)',
  ipWord: 'IP',
  submit: 'Try',
  failed: 'Could not try the address',
  rules: 'Complete the rules first. The rule with the mistake is marked.',
  now: (live: number | null) => (live === null ? 'Without a policy' : `Live version ${live}`),
  then: 'These rules',
  by: (rule: string) => `Rule “${rule}” decides.`,
  noRule: 'No rule decides.',
  total: 'Risk score',
  noFactors: 'No risk found.',
  unknown: (fields: string) => `Not known here, so no rule matches on them: ${fields}.`,
};
