import { call } from '../../api/call.ts';
import { POLICIES } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';

/** Puts a version into the shadow, or none. */
export const useShadow = () =>
  useAction((version: number | null) => call('PUT /policies/shadow/', { body: { version } }), {
    stale: [POLICIES],
    failed: 'Could not change the shadow version',
    done: ({ shadow }) =>
      shadow === null
        ? { title: 'No version runs in shadow', message: 'Decisions stay as they are.' }
        : {
            title: `Version ${shadow} runs in shadow`,
            message: 'It changes no decision. The report on this page counts what it would change.',
          },
  });
