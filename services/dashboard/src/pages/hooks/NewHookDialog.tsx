import { Link } from '@tanstack/react-router';
import type { Hook } from '../../api/hooks.ts';
import { CodeBlock } from '../../ui/copy/CodeBlock.tsx';
import { ShownOnceDialog } from '../../ui/dialog/ShownOnceDialog.tsx';
import { hookAddress } from './hook-address.ts';
import { KIND_LIMITS, KIND_STEPS } from './texts.ts';

export interface NewHook {
  readonly hook: Hook;
  readonly secret: string;
}

/** URL and secret of a new hook, and where they go. */
export function NewHookDialog({ made: { hook, secret }, onClose }: { made: NewHook; onClose: () => void }) {
  return (
    <ShownOnceDialog
      title="Paste secret and URL at your provider"
      text="The secret is not shown again."
      value={secret}
      label="Secret of the hook"
      stored="I have stored the secret"
      onClose={onClose}
    >
      <p>You find the URL again on the page of the hook.</p>
      <CodeBlock code={hookAddress(hook)} label="URL of the hook" />
      <p>
        {KIND_STEPS[hook.kind]} {KIND_LIMITS[hook.kind]}{' '}
        <Link to="/docs/$guide" params={{ guide: 'hooks' }} target="_blank">
          Open the guide
        </Link>
      </p>
    </ShownOnceDialog>
  );
}
