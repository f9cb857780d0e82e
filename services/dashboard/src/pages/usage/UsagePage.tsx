import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { save } from '../../api/download.ts';
import { keysQuery } from '../../api/keys.ts';
import { type UsageStep, usageQuery } from '../../api/usage.ts';
import { IconDownload } from '../../icons.tsx';
import { changed, type FilterChange } from '../../shell/search-params.ts';
import { pointsByStep } from '../../ui/chart/chart-points.ts';
import { DecisionChart } from '../../ui/chart/DecisionChart.tsx';
import { daysAgo } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { USAGE_TEXTS as TEXTS } from './texts.ts';
import { UsageShares } from './UsageShares.tsx';
import { UsageTags } from './UsageTags.tsx';
import { usageCsv } from './usage-csv.ts';

const route = getRouteApi('/app/billing/usage');

/** How far back each step looks when nobody says otherwise. */
const DEFAULT_DAYS: Record<UsageStep, number> = { hour: 1, day: 29, month: 364 };

export function UsagePage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const keys = useQuery(keysQuery);
  const by = search.by ?? 'day';
  const from = search.from ?? daysAgo(DEFAULT_DAYS[by]);
  const to = search.to ?? daysAgo(0);
  const query = { by, from, to, ...(search.key ? { key_id: search.key } : {}) };
  const usage = useQuery({ ...usageQuery(query), placeholderData: keepPreviousData });
  const nameOf = (id: string) => keys.data?.keys.find((key) => key.id === id)?.name ?? id;
  const change = (part: FilterChange<typeof search>) =>
    void navigate({ to: '/billing/usage', search: changed(search, part) });

  return (
    <>
      <PageHeader title="Usage" intro="Checks as they are billed. Days and months are in UTC.">
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          disabled={!usage.data || usage.data.rows.length === 0}
          onClick={() => {
            if (usage.data) {
              const name = `verdict-usage-${from}-${to}.csv`;
              save(new Blob([usageCsv(usage.data, nameOf)], { type: 'text/csv' }), name);
            }
          }}
        >
          Export CSV
        </Button>
      </PageHeader>
      <div className={panel.filters}>
        <SegmentedControl
          aria-label="By"
          value={by}
          onChange={(value) => change({ by: value, from: undefined, to: undefined })}
          data={Object.entries(TEXTS.steps).map(([value, label]) => ({ value, label }))}
        />
        <NativeSelect
          w={180}
          label={TEXTS.key}
          value={search.key ?? ''}
          onChange={(event) => change({ key: event.currentTarget.value })}
          data={[
            { value: '', label: 'All keys' },
            ...(keys.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <TextInput
          label="From"
          type="date"
          value={from}
          max={to}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          label="To, inclusive"
          type="date"
          value={to}
          min={from}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </div>
      <Loaded
        query={usage}
        what="the usage"
        skeleton={<SkeletonBlock height={240} label="Loading the usage" />}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title="No checks in this period" text="Choose a longer period, or run a check.">
            <Link to="/checks/new">Check an address</Link>
          </EmptyState>
        }
      >
        {(data) => (
          <>
            <Section title={TEXTS.chart}>
              <DecisionChart label={TEXTS.chart} points={pointsByStep(data, data.from, data.to)} />
            </Section>
            <UsageShares usage={data} nameOf={nameOf} />
            {!search.key && <UsageTags from={data.from} to={data.to} />}
          </>
        )}
      </Loaded>
    </>
  );
}
