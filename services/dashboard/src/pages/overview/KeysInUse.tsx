import type { ApiKey } from '../../api/keys.ts';
import { Time } from '../../ui/format/Time.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts';

export function KeysInUse({ keys }: { keys: readonly ApiKey[] }) {
  return (
    <DataTable
      label={TEXTS.keysInUse}
      rows={keys}
      rowKey={({ id }) => id}
      columns={[
        { name: 'Name', render: ({ name }) => name },
        {
          name: 'Last used',
          width: '172px',
          figure: true,
          render: ({ last_used_at: at }) => (at ? <Time at={at} relative /> : 'never used'),
        },
      ]}
    />
  );
}
