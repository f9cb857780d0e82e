import { pick } from '../support/seeded-random.js';
import type { WalkAnswer } from './oracle.js';
import { asked, createSession, type Person, type Session, type Told } from './session.js';
import type { World } from './world.js';

const OUTCOMES = ['genuine', 'abuse', 'bounced', 'complained'] as const;
const ROLES = ['admin', 'analyst', 'billing'] as const;
type Role = (typeof ROLES)[number];

/** The roles that may send each request, by the table in docs/dashboard-api.md. */
const PROBES: readonly (readonly [path: string, roles: readonly Role[], change?: object])[] = [
  ['dashboard/usage/', ROLES],
  ['dashboard/logs/?limit=1', ['admin', 'analyst']],
  ['billing/statements/', ['billing']],
  ['dashboard/settings/', ['admin'], { bursts: true }],
];

interface Hand {
  readonly tag: string;
  readonly person: Person;
  readonly owner: Session;
  readonly answers: readonly WalkAnswer[];
  readonly base: () => string;
  readonly random: () => number;
  readonly note: (text: string) => void;
  readonly fault: (text: string) => void;
}

interface Colleague {
  readonly id: string;
  readonly session: Session;
  role: Role;
}

/** The people of a customer: they say how checks turned out, take them from the queue at two desks, come, change roles and go. */
export function createDesk({ tag, person, owner, answers, base, random, note, fault }: Hand) {
  /** The last word on each check. */
  const said = new Map<string, string>();
  const desks = [createSession(base, person), createSession(base, person)];
  let colleague: Colleague | null = null;
  let people = 0;

  const mustBe = ({ status, text }: Told<unknown>, wanted: number, what: string): boolean => {
    if (status !== wanted) fault(`${what}: ${status} ${text}`);
    return status === wanted;
  };

  async function outcome(): Promise<void> {
    const answer = answers.length > 0 ? pick(random, answers) : null;
    if (!answer) return;
    const [first, last] = [pick(random, OUTCOMES), pick(random, OUTCOMES)];
    note(`outcome ${last} of ${answer.id}`);
    const items = [first, last].map((one) => ({ id: answer.id, outcome: one }));
    mustBe(await owner.ask('outcomes/', { json: { items } }), 200, `outcome of ${answer.id}`);
    said.set(answer.id, last);
  }

  /** Two desks claim at the same time, and each decides the check that it got. */
  async function review(): Promise<void> {
    note('review');
    const words = desks.map(() => pick(random, OUTCOMES));
    const claims = await Promise.all(
      desks.map((desk) => desk.ask<{ id: string | null }>('dashboard/review/claim/', { json: {} })),
    );
    // A claim that was cut off may come after its repetition and turn the desk to another check.
    const isClear = claims.every(({ isRepeated }) => !isRepeated);
    const ids = claims.flatMap(({ body: { id } }) => id ?? []);
    if (isClear && new Set(ids).size < ids.length) fault(`two desks hold ${ids[0]}`);
    for (const id of ids) {
      const { decision = 'review' } = answers.find((one) => one.id === id) ?? {};
      if (decision !== 'review') fault(`${id} was answered ${decision} and waits for a person`);
      if (said.has(id)) fault(`${id} turned out ${said.get(id)} and waits for a person`);
    }
    await Promise.all(
      claims.map(async ({ body: { id } }, i) => {
        if (id === null) return;
        const json = { outcome: words[i] };
        const decided = await (desks[i] as Session).ask(`dashboard/review/${id}/decide/`, { json });
        const isDone = decided.status === 200 || (decided.isRepeated && decided.status === 404);
        if (isDone) said.set(id, words[i] ?? '');
        else if (isClear) mustBe(decided, 200, `decide ${id}`);
      }),
    );
  }

  async function invite(): Promise<Colleague | null> {
    const role = pick(random, ROLES);
    const newcomer = { email: `${tag}m${people++}-${person.email}`, password: person.password };
    note(`invite ${newcomer.email} as ${role}`);
    const json = { email: newcomer.email, role };
    const invited = await owner.ask<{ link: string }>('members/invitations/', { json });
    if (!mustBe(invited, 201, 'invite')) return null;
    const token = invited.body.link.replace('/join#token=', '');
    const url = () => `${base()}auth/invitations/accept/`;
    const joined = await asked(url, { json: { token, password: newcomer.password } });
    if (!joined.isRepeated) mustBe(joined, 201, 'join');
    const session = createSession(base, newcomer);
    const me = await session.ask<{ user: { id: string } }>('auth/users/me/');
    return mustBe(me, 200, newcomer.email) ? { id: me.body.user.id, session, role } : null;
  }

  /** Every role holds with the answer that gave it, at each gateway. */
  async function mustHold({ session, role }: Colleague): Promise<void> {
    for (const [path, roles, change] of PROBES) {
      const told = await session.ask(path, change && { method: 'PATCH', json: change });
      mustBe(told, roles.includes(role) ? 200 : 403, `${role} at ${path}`);
    }
  }

  async function member(): Promise<void> {
    if (!colleague) {
      colleague = await invite();
      return colleague ? mustHold(colleague) : undefined;
    }
    const path = `members/${colleague.id}/`;
    if (random() < 0.5) {
      colleague.role = pick(random, ROLES);
      note(`${colleague.id} becomes ${colleague.role}`);
      const json = { role: colleague.role };
      mustBe(await owner.ask(path, { method: 'PATCH', json }), 200, path);
      return mustHold(colleague);
    }
    note(`remove ${colleague.id}`);
    const removed = await owner.ask(path, { method: 'DELETE' });
    if (!removed.isRepeated) mustBe(removed, 200, path);
    mustBe(await colleague.session.ask('dashboard/usage/'), 401, 'a removed member');
    colleague = null;
  }

  return {
    acts: { outcome, review, member },
    /** Compares with what is stored, once nothing is queued; `waiting` are the rows that were decided review. */
    async faults(sql: World['sql'], accountId: string, waiting: readonly string[]): Promise<string[]> {
      const words = await sql<{ subject: string; outcome: string }>(
        'SELECT subject, outcome FROM outcomes WHERE account_id = $1',
        [accountId],
      );
      const queue = await sql<{ id: string }>(
        `SELECT id FROM reviews r WHERE account_id = $1
         AND NOT EXISTS (SELECT FROM outcomes o WHERE o.account_id = r.account_id AND o.subject IN (r.id, r.email_hash))`,
        [accountId],
      );
      const stored = new Map(words.map((one) => [one.subject, one.outcome]));
      return [
        ...differing('outcome', stored, said),
        ...differing(
          'review',
          new Map(queue.map(({ id }) => [id, 'waits'])),
          new Map(waiting.flatMap((id) => (said.has(id) ? [] : [[id, 'waits']]))),
        ),
      ];
    },
  };
}

function differing(
  what: string,
  found: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...found.keys(), ...wanted.keys()])]
    .filter((id) => found.get(id) !== wanted.get(id))
    .map((id) => `${what} of ${id} is ${found.get(id)}, not ${wanted.get(id)}`);
}
