import { Type } from 'typebox';

/** A success that is a CSV file; failures stay JSON. */
export const CsvReplySchema = {
  description: 'CSV with a header line',
  content: { 'text/csv': { schema: Type.String() } },
};
