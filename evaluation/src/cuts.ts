/** The versions of the published lists on a day. Names are those of the aliases in pnpm-workspace.yaml. */
export interface ListsOfADay {
  readonly curated: string;
  readonly crawled: string;
  readonly mailchecker: string;
}

export interface Cut {
  /** Everything the product knows is from this day or before. */
  readonly day: string;
  readonly known: ListsOfADay;
  /** The names added until this later day are the questions. */
  readonly until: string;
  readonly later: ListsOfADay;
}

const published = {
  '2025-04-06': {
    curated: 'disposable-email-domains-js-2025-04',
    crawled: 'fakefilter-2024-09',
    mailchecker: 'mailchecker-2025-03',
  },
  '2025-08-03': {
    curated: 'disposable-email-domains-js-2025-08',
    crawled: 'fakefilter-2025-05',
    mailchecker: 'mailchecker-2025-03',
  },
  '2025-12-02': {
    curated: 'disposable-email-domains-js-2025-12',
    crawled: 'fakefilter-2025-10',
    mailchecker: 'mailchecker-2025-10',
  },
  '2026-05-07': {
    curated: 'disposable-email-domains-js-2026-05',
    crawled: 'fakefilter',
    mailchecker: 'mailchecker-2026-03',
  },
  '2026-09-21': {
    curated: 'disposable-email-domains-js',
    crawled: 'fakefilter',
    mailchecker: 'mailchecker',
  },
} as const satisfies Record<string, ListsOfADay>;

/** Each list at its newest version of that day; the days are those on which the curated list was published. */
export const cuts: readonly Cut[] = Object.entries(published)
  .slice(0, -1)
  .map(([day, known], index) => {
    const [until, later] = Object.entries(published)[index + 1] ?? ['', known];
    return { day, known, until, later };
  });

/** Years old on every day above: what an aggregate list certainly knew then. The one we ship has a single version. */
export const OLD_AGGREGATE = 'disposable-email-domains';
