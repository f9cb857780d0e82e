import { Button, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BILLING, invoiceAddressQuery } from '../../api/billing.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import classes from './Plans.module.css';

const LABELS = {
  name: 'Name or company',
  address: 'Address',
  tax_id: 'VAT number or tax id',
  contact: 'Contact',
};
const FIELDS = ['name', 'address', 'tax_id', 'contact'] as const;

/** Shows the recipient of invoices and changes it. */
export function InvoiceAddress() {
  const address = useQuery(invoiceAddressQuery);
  const [editing, setEditing] = useState(false);
  const change = useAction(
    (form: FormData) => {
      const text = (field: string) => String(form.get(field)).trim() || null;
      const body = {
        name: text('name'),
        address: text('address'),
        tax_id: text('tax_id'),
        contact: text('contact'),
      };
      return call('PUT /billing/invoice-address/', { body });
    },
    { stale: [BILLING], done: 'Invoice address saved', then: () => setEditing(false) },
  );
  const { data } = address;
  const field = (name: (typeof FIELDS)[number]) => ({
    label: LABELS[name],
    name,
    defaultValue: data?.[name] ?? '',
    error: fieldError(change.error, name, LABELS[name]),
  });
  return (
    <Section
      title="Invoice address"
      note="Used for the next invoices. Issued invoices keep their address."
      aside={
        data && (
          <Button variant="default" size="xs" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <Loaded query={address} what="the invoice address" rows={3}>
        {(shown) => (
          <Facts
            facts={FIELDS.map((name) => [
              LABELS[name],
              shown[name] ? <span className={classes.lines}>{shown[name]}</span> : 'not set',
            ])}
          />
        )}
      </Loaded>
      {editing && (
        <FormDialog
          title="Invoice address"
          submit="Save address"
          fields={FIELDS}
          action={change}
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
