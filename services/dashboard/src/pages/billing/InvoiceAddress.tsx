import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { COUNTRY_CODES } from '@verdict/contracts/country-codes.js';
import { useState } from 'react';
import { BILLING, invoiceAddressQuery } from '../../api/billing.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { fieldError } from '../../ui/error/field-error.ts';
import { countryName } from '../../ui/format/country-name.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import classes from './Plans.module.css';

const LABELS = {
  name: 'Name or company',
  address: 'Address',
  country: 'Country',
  tax_id: 'VAT number or tax id',
  contact: 'Invoice email',
  po_number: 'Purchase order number',
};
const FIELDS = ['name', 'address', 'country', 'tax_id', 'contact', 'po_number'] as const;

const countries = COUNTRY_CODES.map((value) => ({ value, label: countryName(value) })).sort((a, b) =>
  a.label.localeCompare(b.label, 'en'),
);

/** Shows the recipient of invoices and changes it. */
export function InvoiceAddress({ isInvoiced }: { isInvoiced: boolean }) {
  const address = useQuery(invoiceAddressQuery);
  const [editing, setEditing] = useState(false);
  const change = useAction(
    (form: FormData) => {
      const text = (field: string) => String(form.get(field)).trim() || null;
      const body = {
        name: text('name'),
        address: text('address'),
        country: text('country'),
        tax_id: text('tax_id'),
        contact: text('contact'),
        po_number: text('po_number'),
      };
      return call('PUT /billing/invoice-address/', { body });
    },
    { stale: [BILLING], done: 'Invoice address saved', then: () => setEditing(false) },
  );
  const { data } = address;
  const waits = isInvoiced && data && !(data.address && data.country);
  const field = (name: (typeof FIELDS)[number]) => ({
    label: LABELS[name],
    name,
    defaultValue: data?.[name] ?? '',
    error: fieldError(change.error, name, LABELS[name]),
  });
  return (
    <Section
      title="Invoice address"
      note={
        waits
          ? 'Set your address and country. Your next invoice waits for them.'
          : 'Used for the next invoices. Issued invoices keep their address.'
      }
      aside={
        data && (
          <Button variant={waits ? 'filled' : 'default'} size="xs" onClick={() => setEditing(true)}>
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
              name === 'country' && shown.country ? (
                countryName(shown.country)
              ) : shown[name] ? (
                <span className={classes.lines}>{shown[name]}</span>
              ) : (
                'not set'
              ),
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
          <NativeSelect
            {...field('country')}
            required={isInvoiced}
            autoComplete="country"
            data={[{ value: '', label: 'Choose a country' }, ...countries]}
          />
          <TextInput {...field('tax_id')} maxLength={60} autoComplete="off" />
          <TextInput
            {...field('contact')}
            description="Leave empty to mail invoices to the first user of the account."
            inputMode="email"
            maxLength={200}
            autoComplete="email"
          />
          <TextInput {...field('po_number')} maxLength={60} autoComplete="off" />
        </FormDialog>
      )}
    </Section>
  );
}
