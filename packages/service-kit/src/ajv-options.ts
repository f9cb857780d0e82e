/**
 * How every listener judges what arrives. Schemas are not validated themselves: TypeBox made them, and the schema of
 * schemas takes 100 ms to compile, which the first request after a start would wait for.
 */
export const ajvOptions = {
  customOptions: {
    coerceTypes: false as const,
    removeAdditional: false as const,
    allErrors: false,
    validateSchema: false,
  },
};
