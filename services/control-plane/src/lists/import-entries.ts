import { setImmediate } from 'node:timers/promises';
import type { ListEntryRow, NewListEntry } from '@verdict/db/lists/list-entries.js';
import type { ListName } from '@verdict/domain/account-list.js';
import { takesLength } from '@verdict/domain/prefix-lengths.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { planOf } from '../http/plan-of.js';
import { listFull } from './list-full.js';
import { readImportRow } from './read-import-row.js';
import { TOO_MANY_LENGTHS } from './too-many-lengths.js';

/** Rows that are read before other requests get the event loop. */
const ROWS_AT_A_TIME = 10;
/** Values that Postgres is asked about at a time: the client copies a long list while others wait. */
const VALUES_AT_A_TIME = 500;

interface RowError {
  readonly row: number;
  readonly value: string;
  readonly message: string;
}

/** Takes the good rows of an import in one step and names the bad ones. An import that exceeds the list is refused as a whole. */
export async function importEntries(
  deps: Pick<Dependencies, 'createId' | 'plans' | 'projectListsOrPending'>,
  request: FastifyRequest,
  list: ListName,
  rows: readonly unknown[],
): Promise<{ success: true; added: number; unchanged: number; errors: RowError[] }> {
  const { createId, plans, projectListsOrPending } = deps;
  const { account } = request.keyCaller;
  const errors: RowError[] = [];
  const now = new Date();
  const wanted = new Map<string, NewListEntry & { row: number }>();
  for (const [index, content] of rows.entries()) {
    if (index % ROWS_AT_A_TIME === 0) await setImmediate();
    const row = index + 1;
    const read = readImportRow(content, now);
    if (!read.ok) errors.push({ row, value: read.value, message: read.message });
    else if (!wanted.has(nameOf(read.entry))) {
      wanted.set(nameOf(read.entry), { id: createId('lst'), ...read.entry, row });
    }
  }
  const standing = async () => {
    const values = [...wanted.values()].map(({ value }) => value);
    const found: ListEntryRow[] = [];
    while (values.length > 0) found.push(...(await account.lists.standing(values.splice(-VALUES_AT_A_TIME))));
    return found.filter((one) => wanted.has(nameOf(one)));
  };

  const other = list === 'allow' ? 'block' : 'allow';
  for (const entry of await standing()) {
    const { row = 0 } = wanted.get(nameOf(entry)) ?? {};
    wanted.delete(nameOf(entry));
    if (entry.list === other)
      errors.push({ row, value: entry.value, message: `is on your ${other} list already` });
  }

  const networks = [...wanted.values()].filter(({ kind }) => kind === 'network');
  const lengths = networks.length > 0 ? await account.lists.prefixLengths() : new Set<string>();
  for (const entry of networks) {
    if (takesLength(lengths, entry.value)) continue;
    wanted.delete(nameOf(entry));
    errors.push({ row: entry.row, value: entry.value, message: TOO_MANY_LENGTHS });
  }

  const accepted = rows.length - errors.length;
  if (wanted.size === 0) return { success: true, added: 0, unchanged: accepted, errors: inOrder(errors) };
  const plan = await planOf(plans, account);
  const { listEntries: entriesMax } = plan;
  const tooMany = () => listFull(plans, plan, { list, field: 'entries', fault: 'do not fit' });
  if (wanted.size > entriesMax) throw tooMany();
  const entries = [...wanted.values()].map(({ row: _, ...entry }) => entry);
  const details = { list, rows: rows.length };
  const audit = auditOf(createId, request, { action: 'list.imported', details });
  const changed = await account.lists.add(list, entries, entriesMax, audit);
  await projectListsOrPending(account.id, 'added', changed);
  const added = changed.rows.length;
  if (added === 0 && (await standing()).length < wanted.size) throw tooMany();
  return { success: true, added, unchanged: accepted - added, errors: inOrder(errors) };
}

/** A value is on one list only, once exactly and once for its mailbox. */
const nameOf = ({ match, value }: Pick<NewListEntry, 'match' | 'value'>): string => `${match} ${value}`;
const inOrder = (errors: readonly RowError[]): RowError[] => [...errors].sort((a, b) => a.row - b.row);
