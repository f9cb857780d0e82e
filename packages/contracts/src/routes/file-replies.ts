import { Type } from 'typebox';

/** A success other than JSON, by its media type; failures stay JSON. */
export interface FileReply {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

const file = (type: string, description: string): FileReply => ({
  description,
  content: { [type]: { schema: Type.String() } },
});

export const CsvFile = file('text/csv', 'CSV with a header line');
export const RowsFile = file('application/x-ndjson', 'NDJSON, one line for a row');
export const ExportFile = file('application/x-ndjson', 'One JSON object a line; `type` says what it is');
/** JSON without our `success`: the shape is the provider's. */
export const ProviderAnswer: FileReply = {
  description: 'In the contract of the provider that asks',
  content: { 'application/json': { schema: Type.Object({}) } },
};
export const HtmlPage = file('text/html', 'A page that needs nothing else');
