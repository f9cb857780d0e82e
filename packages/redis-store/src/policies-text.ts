/** The versions of an account's policy as the step knows them: "<live>/<shadow>", '' for neither. */
export const policiesText = ({
  live,
  shadow,
}: {
  readonly live: number | null;
  readonly shadow: number | null;
}): string => (live === null && shadow === null ? '' : `${live ?? ''}/${shadow ?? ''}`);

/** The live version and the shadow that a text names. */
export function readPoliciesText(text: string): { live: number | null; shadow: number | null } {
  const [live = '', shadow = ''] = text.split('/');
  return { live: live === '' ? null : Number(live), shadow: shadow === '' ? null : Number(shadow) };
}
