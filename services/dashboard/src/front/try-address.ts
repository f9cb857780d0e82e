import { API_PREFIX, TRY_PATH } from '@verdict/contracts/api-paths.js';
import type { CheckResult } from '@verdict/contracts/check-api.js';

const form = document.querySelector<HTMLFormElement>('form#try');
const output = document.querySelector<HTMLOutputElement>('output#verdict');

/** Shows the form where this server offers it. */
async function reveal(): Promise<void> {
  const index = (await (await fetch(`${API_PREFIX}/`)).json()) as { try?: string };
  if (form && index.try !== undefined) form.hidden = false;
}

/** Checks an address and returns what to show of the verdict. */
async function tryAddress(email: string): Promise<(string | Node)[]> {
  const answer = await fetch(TRY_PATH, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const body = (await answer.json()) as Partial<CheckResult> & { error?: string };
  if (!answer.ok || body.decision === undefined) return [body.error ?? 'No answer. Try again in a minute.'];
  output?.setAttribute('data-decision', body.decision);
  const reasons = element('ul');
  for (const reason of body.reasons ?? []) reasons.append(element('li', reason));
  const whole = element('details');
  whole.append(
    element('summary', 'The answer as your code gets it'),
    element('pre', JSON.stringify(body, null, 2)),
  );
  const said = `, score ${body.risk_score} of 100. ${adviceOn(body.decision)}`;
  return [element('strong', body.decision), said, reasons, whole];
}

/** The sentence of the page about a decision. */
const adviceOn = (decision: string): string =>
  document.querySelector(`dl [data-decision="${decision}"] dd`)?.textContent ?? '';

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  output?.removeAttribute('data-decision');
  try {
    output?.replaceChildren(...(await tryAddress(String(new FormData(form).get('email')).trim())));
  } catch {
    output?.replaceChildren('Verdict could not be reached. Try again in a minute.');
  } finally {
    if (button) button.disabled = false;
  }
});

function element(tag: 'details' | 'li' | 'pre' | 'strong' | 'summary' | 'ul', text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

void reveal().catch(() => undefined);
