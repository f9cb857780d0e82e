import type { ListName } from '@verdict/contracts/account-list.js';
import type { NewListEntry } from '@verdict/db/lists/list-entries.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';
import { planOf } from '../http/plan-of.js';
import { readImportRow } from './read-import-row.js';

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
  const { account } = request.caller;
  const errors: RowError[] = [];
  const wanted = new Map<string, NewListEntry & { row: number }>();
  rows.forEach((content, index) => {
    const row = index + 1;
    const read = readImportRow(content);
    if (!read.ok) errors.push({ row, value: read.value, message: read.message });
    else if (!wanted.has(read.entry.value)) {
      wanted.set(read.entry.value, { id: createId('lst'), ...read.entry, note: read.note, row });
    }
  });

  const other = list === 'allow' ? 'block' : 'allow';
  for (const [value, standing] of await account.lists.standing([...wanted.keys()])) {
    if (standing !== other) continue;
    errors.push({ row: wanted.get(value)?.row ?? 0, value, message: `is on your ${other} list already` });
    wanted.delete(value);
  }

  const accepted = rows.length - errors.length;
  if (wanted.size === 0) return { success: true, added: 0, unchanged: accepted, errors: inOrder(errors) };
  const entries = [...wanted.values()].map(({ id, kind, value, note }) => ({ id, kind, value, note }));
  const details = { list, rows: rows.length };
  const audit = auditOf(createId, request, { action: 'list.imported', details });
  const { listEntries: entriesMax } = await planOf(plans, account);
  const changed = await account.lists.add(list, entries, entriesMax, audit);
  await projectListsOrPending(account.id, 'added', changed);
  const added = changed.rows.length;
  if (added === 0 && (await account.lists.standing([...wanted.keys()])).size < wanted.size) {
    throw invalidField(
      'entries',
      `do not fit: the ${list} list holds ${entriesMax} entries at most on your plan, and nothing was added`,
    );
  }
  return { success: true, added, unchanged: accepted - added, errors: inOrder(errors) };
}

const inOrder = (errors: readonly RowError[]): RowError[] => [...errors].sort((a, b) => a.row - b.row);
