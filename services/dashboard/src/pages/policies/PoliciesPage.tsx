import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isError } from '../../api/is-error.ts';
import { keysQuery } from '../../api/keys.ts';
import { liveQuery, policiesQuery } from '../../api/policies.ts';
import { useMay } from '../../shell/use-may.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { retold, withPreset } from './draft-rules.ts';
import { JsonEditor } from './JsonEditor.tsx';
import classes from './PoliciesPage.module.css';
import { PresetMenu } from './PresetMenu.tsx';
import { Reports } from './Reports.tsx';
import { RulesSection } from './RulesSection.tsx';
import { TryRules } from './TryRules.tsx';
import { useDraft } from './use-draft.ts';
import { usePolicy } from './use-policy.ts';
import { useRuleLike } from './use-rule-like.ts';
import { VersionActions } from './VersionActions.tsx';
import { Versions } from './Versions.tsx';

const route = getRouteApi('/app/rules/policies');

/** The rules of one version to read and edit, and beside them what they do to real checks. */
export function PoliciesPage() {
  const search = route.useSearch();
  const may = useMay();
  const keys = useQuery(keysQuery);
  const named = keys.data?.keys ?? [];
  const keyName = (id: string) => named.find((key) => key.id === id)?.name ?? id;

  const list = useInfiniteQuery(policiesQuery);
  const first = list.data?.first;
  const live = first?.live ?? null;
  const shown = search.version ?? live ?? first?.policies[0]?.version ?? null;
  const { policy, query } = usePolicy(shown);
  const effects = useQuery({ ...liveQuery, enabled: live !== null && shown === live });
  const work = useDraft(shown, policy);
  const { draft, rules, unsaved, saving, edit, setRefused } = work;
  useRuleLike(search.like, first !== undefined && (shown === null || policy !== undefined), work.add);

  return (
    <>
      <PageHeader
        title="Policies"
        intro="Your own rules move the decision of a check. Lists come first; then the first rule that matches decides."
      >
        <PresetMenu onChoose={(preset) => edit({ draft: withPreset(draft, preset, Date.now()) })} />
        {may('POST /policies/') && (
          <Button disabled={!unsaved} loading={saving.isPending} onClick={() => saving.mutate()}>
            Save as new version
          </Button>
        )}
      </PageHeader>
      {isError(query.error, 'not_found') ? (
        <EmptyState title={`There is no version ${shown ?? 0}`} text="Choose one of your versions.">
          <Link to="/rules/policies">Show the live version</Link>
        </EmptyState>
      ) : !first || (shown !== null && !policy) ? (
        <Loaded<unknown> query={first ? query : list} what="the policies" rows={10}>
          {() => <SkeletonRows rows={10} label="Loading the version" />}
        </Loaded>
      ) : (
        <div className={classes.columns}>
          <div>
            <RulesSection
              work={work}
              policy={policy}
              version={shown}
              keys={named}
              keyName={keyName}
              effects={shown === live ? (effects.data?.live?.rules ?? []) : []}
            />
            <details className={classes.details}>
              <summary>JSON</summary>
              <JsonEditor
                key={shown}
                rules={rules}
                onChange={(next) => edit({ draft: retold(draft, next) })}
              />
            </details>
            <Versions shown={shown} />
          </div>
          <div>
            {policy && <VersionActions policy={policy} live={live} keyName={keyName} />}
            {shown !== null && <Reports version={shown} unsaved={unsaved} />}
            <TryRules rules={rules} onRefused={setRefused} />
          </div>
        </div>
      )}
    </>
  );
}
