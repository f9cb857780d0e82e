/** Our schemas are closed so that stray fields are noticed; readers of an answer must expect new ones. */
export function allowNewFields<T>(value: T): T {
  if (Array.isArray(value)) return value.map(allowNewFields) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(key === 'additionalProperties' && each === false))
      .map(([key, each]) => [key, allowNewFields(each)]),
  ) as T;
}
