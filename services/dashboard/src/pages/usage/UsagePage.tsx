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
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { daysAgo } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { USAGE_TEXTS as TEXTS } from './texts.ts';
import { UsageShares } from './UsageShares.tsx';
import { usageCsv } from './usage-csv.ts';

const route = getRouteApi('/app/usage');

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
    void navigate({ to: '/usage', search: changed(search, part) });

  return (
    <>
      <PageHeader title={TEXTS.title} intro={TEXTS.intro}>
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
          {TEXTS.export}
        </Button>
      </PageHeader>
      <div className={panel.filters}>
        <SegmentedControl
          aria-label={TEXTS.by}
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
            { value: '', label: TEXTS.anyKey },
            ...(keys.data?.keys ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <TextInput
          label={TEXTS.from}
          type="date"
          value={from}
          max={to}
          onChange={(event) => change({ from: event.currentTarget.value })}
        />
        <TextInput
          label={TEXTS.to}
          type="date"
          value={to}
          min={from}
          onChange={(event) => change({ to: event.currentTarget.value })}
        />
      </div>
      {usage.error ? (
        <ErrorNotice title={TEXTS.failed} error={usage.error} onRetry={() => void usage.refetch()} />
      ) : !usage.data ? (
        <SkeletonBlock height={240} label={TEXTS.loading} />
      ) : usage.data.total === 0 ? (
        <EmptyState title={TEXTS.empty} text={TEXTS.emptyText}>
          <Link to="/playground">{TEXTS.toPlayground}</Link>
        </EmptyState>
      ) : (
        <>
          <Section title={TEXTS.chart}>
            <DecisionChart
              label={TEXTS.chart}
              points={pointsByStep(usage.data, usage.data.from, usage.data.to)}
            />
          </Section>
          <UsageShares usage={usage.data} nameOf={nameOf} />
        </>
      )}
    </>
  );
}
