/** Remembers the result on the object, where copies do not take it along. Checks that share a verdict share all that is made of it. */
export function oncePerObject<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = Symbol(make.name);
  return (key: Key & { [made]?: Value }) => {
    const known = key[made];
    if (known !== undefined) return known;
    const value = make(key);
    Object.defineProperty(key, made, { value });
    return value;
  };
}
