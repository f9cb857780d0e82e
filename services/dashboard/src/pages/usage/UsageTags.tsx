import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { addressOf } from '../../api/call.ts';
import { usageTagsQuery } from '../../api/usage.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatShare } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';

/** The checks of a period by tag; nothing where no check has one. */
export function UsageTags({ from, to }: { from: string; to: string }) {
  const query = { from, to };
  const { data } = useQuery(usageTagsQuery(query));
  if (!data || data.total === data.untagged) return null;
  const { tags, other, untagged, total } = data;
  const rows = [
    ...tags.map(({ tag, checks }) => ({
      name: tag,
      shown: (
        <Link to="/checks" search={{ tag, from, to }}>
          {tag}
        </Link>
      ),
      checks,
    })),
    ...(other > 0 ? [{ name: '/other', shown: 'Other tags', checks: other }] : []),
    { name: '/untagged', shown: 'Without a tag', checks: untagged },
  ];
  return (
    <Section
      title="By tag"
      aside={
        <DownloadButton
          from={addressOf('GET /dashboard/usage/tags.csv', { query })}
          name={`verdict-usage-tags-${from}-${to}.csv`}
          label="Export tags as CSV"
        />
      }
    >
      <DataTable
        label="By tag"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { name: 'Tag', render: ({ shown }) => shown },
          { name: 'Checks', width: '110px', figure: true, render: ({ checks }) => formatCount(checks) },
          { name: 'Share', width: '80px', figure: true, render: ({ checks }) => formatShare(checks, total) },
        ]}
      />
    </Section>
  );
}
