import { SignedOutPage } from '../pages/login/SignedOutPage.tsx';

/** The 404 page of people without a session. */
export function GuestNotFound() {
  return (
    <SignedOutPage title="Page not found">
      <p>There is no page at this address.</p>
      <p>
        <a href="/">Go to the front page</a>
      </p>
    </SignedOutPage>
  );
}
