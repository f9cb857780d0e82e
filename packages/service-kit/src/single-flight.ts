/** Merges concurrent calls with the same key; caches nothing. */
export function createSingleFlight<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, ask) => {
    const under = flights.get(key);
    if (under) return under;
    const flight = ask().finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  };
}
