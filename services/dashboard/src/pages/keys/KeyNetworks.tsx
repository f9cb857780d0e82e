import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, type KeyNetwork, keyNetworksQuery } from '../../api/keys.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';

/** Answers whether a key that leaked was used by somebody else. */
export function KeyNetworks({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const networks = useQuery(keyNetworksQuery(id));
  return (
    <Modal opened onClose={onClose} title={`Where ${name} was used`} size={640}>
      <p className={panel.note}>
        Networks that sent checks with this key in the last 30 days, the last used first. Half a minute late.
      </p>
      <Loaded
        query={networks}
        what="the networks"
        rows={3}
        isEmpty={(data) => data.networks.length === 0}
        empty={<p>No check with this key in 30 days.</p>}
      >
        {(data) => (
          <DataTable
            label="Networks"
            columns={COLUMNS}
            rows={data.networks}
            rowKey={({ network }) => network}
          />
        )}
      </Loaded>
    </Modal>
  );
}

const COLUMNS: Column<KeyNetwork>[] = [
  { name: 'Network', render: ({ network }) => <code>{network}</code> },
  { name: 'Requests', width: '92px', figure: true, render: ({ requests }) => formatCount(requests) },
  { name: 'First (UTC)', time: ({ first_at: at }) => at, from: 'tablet' },
  { name: 'Last (UTC)', time: ({ last_at: at }) => at },
];
