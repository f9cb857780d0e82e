/** Our own schemas are closed so that we notice a stray field; whoever reads an answer must expect new ones. */
export function opened<T>(value: T): T {
  if (Array.isArray(value)) return value.map(opened) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, each]) => !(key === 'additionalProperties' && each === false))
      .map(([key, each]) => [key, opened(each)]),
  ) as T;
}
