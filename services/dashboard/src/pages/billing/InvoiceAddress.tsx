import { Button, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invoiceAddressQuery, setInvoiceAddress } from '../../api/billing.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import classes from './Plans.module.css';
import { INVOICE_ADDRESS_TEXTS as TEXTS } from './texts.ts';

const FIELDS = ['name', 'address', 'tax_id', 'contact'] as const;

/** Shows the recipient of invoices and changes it. */
export function InvoiceAddress() {
  const address = useQuery(invoiceAddressQuery);
  const [editing, setEditing] = useState(false);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (form: FormData) => {
      const text = (field: string) => String(form.get(field)).trim() || null;
      return setInvoiceAddress({
        name: text('name'),
        address: text('address'),
        tax_id: text('tax_id'),
        contact: text('contact'),
      });
    },
    onSuccess: async () => {
      setEditing(false);
      notifications.show({ message: TEXTS.saved });
      await client.invalidateQueries({ queryKey: invoiceAddressQuery.queryKey });
    },
  });
  const { data } = address;
  const field = (name: (typeof FIELDS)[number]) => ({
    label: TEXTS[name],
    name,
    defaultValue: data?.[name] ?? '',
    error: fieldError(change.error, name, TEXTS[name]),
  });
  return (
    <Section
      title={TEXTS.title}
      note={TEXTS.note}
      aside={
        data && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            {TEXTS.edit}
          </Button>
        )
      }
    >
      {address.error ? (
        <ErrorNotice title={TEXTS.failed} error={address.error} onRetry={() => void address.refetch()} />
      ) : !data ? (
        <SkeletonRows rows={3} label={TEXTS.loading} />
      ) : (
        <Facts
          facts={FIELDS.map((name) => [
            TEXTS[name],
            data[name] ? <span className={classes.lines}>{data[name]}</span> : TEXTS.none,
          ])}
        />
      )}
      {editing && (
        <FormDialog
          title={TEXTS.title}
          submit={TEXTS.submit}
          fields={FIELDS}
          acting={change}
          onSubmit={change.mutate}
          onClose={() => setEditing(false)}
        >
          <TextInput {...field('name')} maxLength={200} autoComplete="organization" data-autofocus />
          <Textarea {...field('address')} rows={4} maxLength={1000} autoComplete="street-address" />
          <TextInput {...field('tax_id')} maxLength={60} autoComplete="off" />
          <TextInput {...field('contact')} maxLength={200} autoComplete="off" />
        </FormDialog>
      )}
    </Section>
  );
}
