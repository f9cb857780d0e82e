import { Readable } from 'node:stream';
import { PlainText } from '@verdict/contracts/dashboard/common.js';
import type { JobFormat, UploadQuery } from '@verdict/contracts/jobs-api.js';
import { UploadQuerySchema } from '@verdict/contracts/jobs-api.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { invalidField, invalidRequest } from '@verdict/service-kit/errors.js';
import { isGzipped } from '@verdict/service-kit/unpack-body.js';
import type { FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { charsetOf } from './find-encoding.js';
import { unreadableFile, unsupportedFile } from './job-errors.js';
import { unpackFile } from './unpack-file.js';

/** A file that was sent, unread, with what was said about it. */
export interface SentFile {
  readonly format: JobFormat;
  readonly charset: string | undefined;
  readonly source: AsyncIterable<Uint8Array>;
  readonly wishes: UploadQuery;
}

const FORMATS: Readonly<Record<string, JobFormat>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'csv',
  'text/tab-separated-values': 'csv',
  'text/plain': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/ndjson': 'ndjson',
  'application/jsonl': 'ndjson',
  'application/json': 'json',
};
const BY_ENDING: Readonly<Record<string, JobFormat>> = {
  csv: 'csv',
  tsv: 'csv',
  txt: 'csv',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  json: 'json',
};
const NameSchema = PlainText(200, 'A name');

/** The file of a request: its whole body, or the file of a form, whose fields say what the query may say too. */
export async function readBody(request: FastifyRequest, query: UploadQuery): Promise<SentFile> {
  const isPacked = isGzipped(request);
  if (request.isMultipart() && !isPacked) return readForm(request, query);
  const format = FORMATS[typeOf(request.headers['content-type'])];
  if (format === undefined) throw unsupportedFile();
  const sent = (request.body as Readable | undefined) ?? Readable.from([]);
  return {
    format,
    charset: charsetOf(request.headers['content-type']),
    source: isPacked ? unpackFile(sent) : sent,
    wishes: checked(query),
  };
}

async function readForm(request: FastifyRequest, query: UploadQuery): Promise<SentFile> {
  const fields: Record<string, unknown> = {};
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') {
        fields[part.fieldname] = part.value;
        continue;
      }
      const format = FORMATS[typeOf(part.mimetype)] ?? BY_ENDING[endingOf(part.filename)];
      if (format === undefined) throw unsupportedFile();
      const named = part.filename ? { name: part.filename.slice(-200) } : {};
      const charset = charsetOf(part.mimetype);
      return {
        format,
        charset,
        source: bytesOf(part.file),
        wishes: checked({ ...named, ...fields, ...query }),
      };
    }
  } catch (error) {
    throw error instanceof AppError ? error : invalidRequest('The form data is malformed.');
  }
  throw invalidField('file', 'is missing; put form fields before the file');
}

/** A form that ends before its last boundary breaks off in the middle of the file: the mistake of its sender, not ours. */
async function* bytesOf(file: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* file as AsyncIterable<Uint8Array>;
  } catch (error) {
    const isCut = error instanceof Error && /unexpected end/i.test(error.message);
    throw isCut ? unreadableFile('the form ends before its last boundary', error) : error;
  }
}

function checked(wishes: object): UploadQuery {
  const [fault] = Value.Errors(UploadQuerySchema, wishes);
  if (fault) throw invalidField(fault.instancePath.slice(1) || 'form', 'is not valid');
  const { name, ...rest } = wishes as UploadQuery;
  // A name is shown to people, and stored.
  return name !== undefined && Value.Check(NameSchema, name) ? { ...rest, name } : rest;
}

const typeOf = (header: string | undefined): string =>
  (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
const endingOf = (name: string | undefined): string =>
  /\.([a-z]+)$/i.exec(name ?? '')?.[1]?.toLowerCase() ?? '';
