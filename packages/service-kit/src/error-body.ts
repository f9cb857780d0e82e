import { AppError, type FieldError } from './app-error.js';
import { isDependencyFailure } from './dependency-failure.js';
import { bodyTooLarge, internalError, invalidRequest, unavailable, unsupportedMediaType } from './errors.js';

export interface ErrorBody {
  error: string;
  code: string;
  errors?: FieldError[];
  [extra: string]: unknown;
}

export function errorBody(error: AppError): ErrorBody {
  const body: ErrorBody = { error: error.publicMessage, code: error.code, ...error.extra };
  if (error.fields) body.errors = [...error.fields];
  return body;
}

/** Turns anything thrown into an AppError. Fastify's own 4xx errors keep their status and lose their wording. */
export function toAppError(thrown: unknown, bodyLimitBytes: number): AppError {
  if (thrown instanceof AppError) return thrown;
  const error = thrown as FrameworkError;
  if (Array.isArray(error?.validation)) return validationError(error);
  switch (error?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyLimitBytes);
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return invalidRequest('The request body is empty; send a JSON object.');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return invalidRequest('The request body is not valid JSON.');
    case 'FST_ERR_HANDLER_TIMEOUT':
      return unavailable('handler', thrown);
  }
  const status = error?.statusCode ?? 500;
  if (status === 413) return bodyTooLarge(bodyLimitBytes);
  if (status >= 400 && status < 500)
    return new AppError(status, 'invalid_request', 'The request is malformed.', { cause: thrown });
  if (status === 503) return unavailable('framework', thrown);
  if (isDependencyFailure(thrown)) return unavailable('dependency', thrown);
  return internalError(thrown);
}

interface FrameworkError {
  code?: string;
  statusCode?: number;
  validation?: Issue[];
  validationContext?: string;
}

interface Issue {
  instancePath?: string;
  keyword?: string;
  message?: string;
  params?: Record<string, unknown>;
}

function validationError(error: FrameworkError): AppError {
  const fields = (error.validation ?? []).map((issue) => {
    const path = (issue.instancePath ?? '').replace(/^\//, '').replaceAll('/', '.');
    const named = issue.params?.missingProperty ?? issue.params?.additionalProperty;
    const field =
      [path, typeof named === 'string' ? named : ''].filter(Boolean).join('.') ||
      (error.validationContext ?? 'body');
    return { field, message: sentence(issue, field === 'body') };
  });
  const first = fields[0];
  return invalidRequest(first ? `${first.field}: ${first.message}` : 'The request is malformed.', fields);
}

/** The sentence that replaces the validator's words. */
function sentence({ keyword, message, params }: Issue, wholeBody: boolean): string {
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'type':
      return wholeBody ? 'must be a JSON object' : `must be ${withArticle(String(params?.type ?? 'valid'))}`;
    case 'format':
      return FORMATS[String(params?.format)] ?? 'has the wrong form';
    case 'pattern':
      return 'has the wrong form';
    case 'minItems':
      return `must have at least ${counted(params?.limit, 'item')}`;
    case 'maxItems':
      return `must have at most ${counted(params?.limit, 'item')}`;
    case 'minLength':
      return `must have at least ${counted(params?.limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(params?.limit, 'character')}`;
    case 'minimum':
      return `must be at least ${params?.limit}`;
    case 'maximum':
      return `must be at most ${params?.limit}`;
    default:
      return message ?? 'is not valid';
  }
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be a day, such as 2026-11-15',
  'date-time': 'must be a moment with its offset, such as 2026-11-15T09:30:00Z',
};

const counted = (limit: unknown, thing: string): string =>
  limit === 1 ? `one ${thing}` : `${Number(limit).toLocaleString('en')} ${thing}s`;

const withArticle = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
