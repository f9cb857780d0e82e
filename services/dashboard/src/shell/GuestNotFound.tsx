import { SignedOutPage } from '../pages/login/SignedOutPage.tsx';
import { SHELL_TEXTS as TEXTS } from './texts.ts';

/** The 404 page of people without a session. */
export function GuestNotFound() {
  return (
    <SignedOutPage title={TEXTS.notFound}>
      <p>{TEXTS.notFoundText}</p>
      <p>
        <a href="/">{TEXTS.toFrontPage}</a>
      </p>
    </SignedOutPage>
  );
}
