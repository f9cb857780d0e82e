import { NativeSelect } from '@mantine/core';

const CHOICES = [
  { value: '0', label: 'no longer: it ends at once' },
  { value: '3600', label: 'one hour' },
  { value: '86400', label: 'one day' },
  { value: '259200', label: 'three days' },
  { value: '604800', label: 'seven days' },
];
const A_DAY = '86400';

/** How long an old secret works beside the new one. Read from the form by overlapOf. */
export const OverlapSelect = ({ label }: { label: string }) => (
  <NativeSelect label={label} name="overlap" defaultValue={A_DAY} data={CHOICES} data-autofocus />
);

export const overlapOf = (form: FormData): number => Number(form.get('overlap'));
