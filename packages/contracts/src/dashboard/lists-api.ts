import { type Static, Type } from 'typebox';
import { ListKindSchema, ListMatchingSchema, ListNameSchema } from '../account-list.js';
import { ConsideredSchema } from '../considered.js';
import { UsageBreakdownSchema } from '../control-plane-api.js';
import { DatasetsSchema } from '../datasets.js';
import {
  CountSchema,
  NullableStringSchema,
  NullableTimestampSchema,
  PageQuery,
  PageReply,
  PlainText,
  Success,
  TimestampSchema,
} from './common.js';

export const ListEntrySchema = Type.Object(
  {
    id: Type.String({ description: 'Begins with lst_' }),
    list: ListNameSchema,
    kind: ListKindSchema,
    match: ListMatchingSchema,
    value: Type.String({ description: 'In its canonical spelling' }),
    note: NullableStringSchema,
    expires_at: { ...NullableTimestampSchema, description: 'Ignored from then on, and shown for 30 days' },
    created_at: TimestampSchema,
  },
  { additionalProperties: false },
);
export type ListEntryView = Static<typeof ListEntrySchema>;

export const ListPageQuerySchema = Type.Object(
  {
    ...PageQuery,
    search: Type.Optional(PlainText(254, 'Entries whose value begins with this')),
  },
  { additionalProperties: false },
);

export const ListPageReplySchema = Success({
  entries: Type.Array(ListEntrySchema),
  total: CountSchema,
  entries_max: CountSchema,
  ...PageReply,
});

const NoteSchema = PlainText(200, 'Why it is there');

const ValueSchema = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'An address, domain, IP or network (203.0.113.0/24)',
});
const MxSchema = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Instead of a value: a mail server, or its domain. Names every domain whose mail goes there',
});

export const AddEntryBodySchema = Type.Object(
  {
    value: Type.Optional(ValueSchema),
    mx: Type.Optional(MxSchema),
    match: Type.Optional({
      ...ListMatchingSchema,
      description: 'mailbox: all spellings of an address; mx: the same as `mx` instead of `value`',
    }),
    force: Type.Optional(
      Type.Boolean({ description: 'Take a mail server that many unrelated domains share' }),
    ),
    note: Type.Optional(NoteSchema),
    expires_at: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
  },
  { additionalProperties: false },
);

export const EntryReplySchema = Success({ entry: ListEntrySchema });

export const IMPORT_ROWS_MAX = 10_000;

/** Rows are judged one by one, so their shape is left open here. */
export const ImportBodySchema = Type.Object(
  {
    entries: Type.Array(
      Type.Unknown({ description: 'A value, or {value or mx, match, note, expires_at, force}' }),
      {
        minItems: 1,
        maxItems: IMPORT_ROWS_MAX,
      },
    ),
  },
  { additionalProperties: false },
);

export const ImportReplySchema = Success({
  added: CountSchema,
  unchanged: Type.Integer({ minimum: 0, description: 'On this list already, or twice in the import' }),
  errors: Type.Array(
    Type.Object(
      { row: Type.Integer({ minimum: 1 }), value: Type.String(), message: Type.String() },
      { additionalProperties: false },
    ),
    { description: 'Rows that were refused, by their position beginning with 1; the others were taken' },
  ),
});

export const DatasetsReplySchema = Success({ datasets: DatasetsSchema });

export const IMPACT_DAYS = 30;

export const ImpactQuerySchema = Type.Object(
  {
    value: Type.Optional(ValueSchema),
    mx: Type.Optional(MxSchema),
    match: Type.Optional(ListMatchingSchema),
  },
  { additionalProperties: false },
);

export const ImpactReplySchema = Success({
  kind: ListEntrySchema.properties.kind,
  match: ListMatchingSchema,
  mailbox: { ...NullableStringSchema, description: 'Where its provider delivers other spellings too' },
  value: ListEntrySchema.properties.value,
  shared: { ...Type.Boolean(), description: 'Unrelated domains share it, so adding it needs `force`' },
  since: { ...TimestampSchema, description: `${IMPACT_DAYS} days ago` },
  checks: Type.Integer({ minimum: 0, description: 'Checks since then that the entry would have decided' }),
  changed: Type.Integer({ minimum: 0, description: 'Of these, those that were decided otherwise' }),
  by_decision: UsageBreakdownSchema.properties.by_decision,
  considered: ConsideredSchema,
  standing: Type.Union([ListNameSchema, Type.Null()], {
    description: 'The list that has this value already',
  }),
});
export type ImpactReply = Static<typeof ImpactReplySchema>;
