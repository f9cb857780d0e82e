import { mkdir } from 'node:fs/promises';
import { dayOf } from '@verdict/domain/month.js';
import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import { text } from '../database/columns.js';
import { type ArchivedMonth, type ArchiveOptions, archiveFacts } from './archive-facts.js';

/** Archives the days before a moment of every month that may go, oldest first. */
export async function* archiveClosedDays(
  client: Client,
  { before, folder, pendingSince }: Omit<ArchiveOptions, 'month'>,
): AsyncGenerator<ArchivedMonth> {
  const months = await clientRows(
    client,
    { month: text },
    `SELECT to_char(month, 'YYYY-MM') AS month FROM billing_periods
     WHERE stated_at IS NOT NULL AND archived_at IS NULL AND month < $1::date
       AND reconciled_to >= (month + interval '1 month') AT TIME ZONE 'UTC'
       AND to_regclass('check_logs_' || to_char(month, 'YYYY_MM')) IS NOT NULL
     ORDER BY billing_periods.month`,
    [dayOf(before)],
  );
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { month } of months) yield await archiveFacts(client, { month, before, folder, pendingSince });
}
