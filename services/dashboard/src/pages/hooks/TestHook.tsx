import { Button, TextInput } from '@mantine/core';
import { HOOKS, type Hook, testHook } from '../../api/hooks.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import dialog from '../../ui/dialog/Dialog.module.css';
import { Section } from '../../ui/page/Section.tsx';

/** Signs up with an address of the reader's choice, by the provider's way. */
export function TestHook({ hook }: { hook: Hook }) {
  const testing = useAction((form: FormData) => testHook(hook.id, String(form.get('email')).trim()), {
    stale: [[...HOOKS, hook.id]],
    failed: 'The test was not sent',
  });
  return (
    <Section
      title="Test"
      note="Sends the provider’s documented request, signed with your secret. Counts as one check."
    >
      <form
        className={dialog.form}
        onSubmit={(event) => {
          event.preventDefault();
          testing.mutate(new FormData(event.currentTarget));
        }}
      >
        <TextInput
          label="Address to sign up with"
          name="email"
          type="email"
          defaultValue="someone@mailinator.com"
          maxLength={320}
          required
          autoComplete="off"
          spellCheck={false}
        />
        <div className={dialog.actions}>
          <Button type="submit" variant="default" loading={testing.isPending}>
            Send a test
          </Button>
        </div>
      </form>
      {testing.data ? (
        <div role="status">
          <p>The hook answered {testing.data.status}</p>
          <CodeBlock code={indented(testing.data.text)} label="Answer of the hook" />
        </div>
      ) : null}
    </Section>
  );
}

/** Shows an answer other than JSON as it is. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
