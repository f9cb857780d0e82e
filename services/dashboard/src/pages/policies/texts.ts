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
  until: 'Needed for',
  hours: [
    { value: '6', label: '6 hours' },
    { value: '24', label: '24 hours' },
    { value: '72', label: '3 days' },
  ],
  endText:
    'Rules do not end on their own. The note says until when you need them, this page reminds you, and one button takes you back.',
  submit: 'Add the rules',
};

export const RULES_TEXTS = {
  title: 'Rules',
  of: (version: number) => `Version ${version}.`,
  unsaved: (version: number | null) =>
    version === null ? 'Not saved yet.' : `Unsaved changes to version ${version}.`,
  add: 'Add rule',
  discard: 'Discard changes',
  empty: 'No rules yet',
  emptyText: 'Begin with a rule or a preset. A rule with “only watch” counts checks and changes none.',
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
  done: 'Done',
  name: 'Name',
  when: 'When',
  then: 'Then',
  outcome: 'Outcome',
  decision: 'Decision',
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
    shadow: 'Judges every check beside the live version and changes none.',
    idle: 'Not used for any check.',
  },
  noPolicy: 'No version is live: every check keeps the decision of its score.',
  live: 'Make live',
  back: (version: number) => `Back to version ${version}`,
  none: 'No policy',
  ends: (end: string, version: number) => `Version ${version} is meant to be live until ${end} UTC.`,
  ended: (end: string, version: number) =>
    `Version ${version} was meant to end at ${end} UTC and is still live.`,
};

export const LIVE_TEXTS = {
  title: (version: number | null) => (version === null ? 'Use no policy' : `Make version ${version} live`),
  from: (live: number | null) =>
    live === null
      ? 'No version is live now. These rules start:'
      : `Compared with version ${live}, which is live now:`,
  kinds: { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Moved' },
  same: 'The rules are the same.',
  loading: 'Loading the live version',
  immediately: 'The next check is judged by it.',
  noneText: 'Checks keep the decision of their score and your lists from the next check on.',
  submit: (version: number | null) => (version === null ? 'Use no policy' : `Make version ${version} live`),
  conflict:
    'Somebody else changed the live version meanwhile. The comparison above is up to date now: read it, then try again.',
  blocks: (share: string) => `This version would block ${share} of your last 1,000 checks.`,
  really: 'Make it live although it blocks so many',
  done: (version: number | null) => (version === null ? 'No policy is live' : `Version ${version} is live`),
  back: (version: number | null) => (version === null ? 'Back to no policy' : `Back to version ${version}`),
  backFailed: 'Could not go back',
};
