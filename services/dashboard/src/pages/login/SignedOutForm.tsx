import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import classes from './SignedOutPage.module.css';

/** A form with one field for people who are not logged in; `told` replaces it once there is nothing to ask. */
export function SignedOutForm({
  told,
  field,
  submit,
  asked,
  shows,
  children,
}: {
  told: string | null;
  /** Name of the field whose text is sent. */
  field: string;
  submit: string;
  /** The API field of the input, where its errors are shown. */
  shows?: string;
  asked: { readonly error: unknown; readonly isPending: boolean; mutate(text: string): void };
  children: React.ReactNode;
}) {
  return (
    <>
      {told === null ? (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault();
            asked.mutate(String(new FormData(event.currentTarget).get(field)));
          }}
        >
          {children}
          {asked.error !== null && <ErrorNotice error={asked.error} fields={shows ? [shows] : []} />}
          <Button type="submit" loading={asked.isPending}>
            {submit}
          </Button>
        </form>
      ) : (
        <p className={classes.told} role="status">
          {told}
        </p>
      )}
      <p className={classes.other}>
        <Link to="/login">Log in</Link>
      </p>
    </>
  );
}
