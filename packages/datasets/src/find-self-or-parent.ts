/** The name itself and its parents, most specific first, tested on label boundaries against a set. */
export function findSelfOrParent(name: string, names: { has(name: string): boolean }): string | undefined {
  if (names.has(name)) return name;
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    const parent = name.slice(dot + 1);
    if (names.has(parent)) return parent;
  }
  return undefined;
}
