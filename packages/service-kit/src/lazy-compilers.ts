import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

/** Fastify's own compilers, but each schema at its first use: compiling all of them was half of a service's start. */
export const lazyCompilers = {
  compilersFactory: {
    buildValidator: lazily(AjvCompiler()),
    buildSerializer: lazily(SerializerSelector()),
  },
} as NonNullable<FastifyServerOptions['schemaController']>;

interface Compiled {
  (value: unknown): unknown;
  /** The findings of a validator after a value that it refused. */
  errors?: unknown;
}

function lazily<Settings extends unknown[], Route>(
  build: (...settings: Settings) => (route: Route) => Compiled,
) {
  return (...settings: Settings) => {
    const compile = build(...settings);
    return (route: Route) => {
      let compiled: Compiled | undefined;
      const run: Compiled = (value) => {
        compiled ??= compile(route);
        const result = compiled(value);
        run.errors = compiled.errors;
        return result;
      };
      return run;
    };
  };
}
