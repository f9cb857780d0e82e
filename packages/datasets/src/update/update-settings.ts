import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import { readSigningKey } from '../releases/signature.js';
import { LISTS_DIR } from '../shipped.js';
import { readSources } from '../sources/read-sources.js';
import type { UpdateOptions } from './update-datasets.js';

/** The settings of updates, shared by the worker's schedule and the operator's command. */
export const UPDATE_SETTINGS = {
  DATASETS_DIR: Type.Optional(
    Type.String({ description: 'Folder for releases of the lists; without it none are published' }),
  ),
  DATASETS_REGISTRY: Type.String({
    pattern: '^https?://',
    default: 'https://registry.npmjs.org/',
    description: 'npm registry for packages with lists',
  }),
  DATASETS_SOURCES: Type.Optional(
    Type.String({
      description: 'JSON file that changes the sources: mirrors, your lists, enabled: false',
    }),
  ),
  DATASETS_SIGNING_KEY: Type.Optional(
    Type.String({
      description: 'Private Ed25519 key that signs releases (verdict datasets keygen)',
    }),
  ),
  DATASETS_FETCH_TIMEOUT_MS: Type.Integer({
    minimum: 100,
    default: 60_000,
    description: 'Deadline for one source',
  }),
  DATASETS_FETCH_BYTES_MAX: Type.Integer({
    minimum: 1024,
    default: 32 * 1024 * 1024,
    description: 'Largest download of one source',
  }),
};

export interface UpdateSettings {
  readonly DATASETS_DIR?: string;
  readonly DATASETS_REGISTRY: string;
  readonly DATASETS_SOURCES?: string;
  readonly DATASETS_SIGNING_KEY?: string;
  readonly DATASETS_FETCH_TIMEOUT_MS: number;
  readonly DATASETS_FETCH_BYTES_MAX: number;
}

export function updateOptions(settings: UpdateSettings, directory: string): UpdateOptions {
  return {
    directory,
    sources: readSources(LISTS_DIR, settings.DATASETS_SOURCES),
    registry: settings.DATASETS_REGISTRY,
    limits: { deadlineMs: settings.DATASETS_FETCH_TIMEOUT_MS, bytesMax: settings.DATASETS_FETCH_BYTES_MAX },
    signingKey: signingKey(settings),
  };
}

export function signingKey({ DATASETS_SIGNING_KEY }: UpdateSettings): KeyObject | undefined {
  return DATASETS_SIGNING_KEY === undefined ? undefined : readSigningKey(DATASETS_SIGNING_KEY);
}
