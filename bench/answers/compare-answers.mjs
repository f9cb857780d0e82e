/**
 * Compares two answers byte for byte, but for fields that the first is declared to have more: each a path such as `signals.mx`,
 * wherever in the body it begins. Length follows the body, so it is not compared where such a field was taken out.
 * @param {Answer} one @param {Answer} other @param {readonly string[]} additions
 * @typedef {{ status: number, headers: readonly string[], body: string }} Answer
 * @returns {readonly string[] | null} the additions that the first has more, or null where the answers differ
 */
export function compareAnswers(one, other, additions) {
  const isLength = (header) => header.startsWith('content-length:');
  const headOf = ({ status, headers }, isKept) => JSON.stringify([status, headers.filter(isKept)]);
  const all = () => true;
  if (one.body === other.body && headOf(one, all) === headOf(other, all)) return [];
  const { body, found } = without(one.body, additions);
  const isRest = (header) => !isLength(header);
  return found.length > 0 && body === other.body && headOf(one, isRest) === headOf(other, isRest)
    ? found
    : null;
}

/** A body that JSON.stringify would write in another way stays as it is, because taking a field out writes it again. */
function without(body, additions) {
  const value = parsed(body);
  if (value === undefined || JSON.stringify(value) !== body) return { body, found: [] };
  const found = additions.filter((addition) => remove(value, addition.split('.')));
  return { body: JSON.stringify(value), found };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether there was one. */
function remove(value, path) {
  if (typeof value !== 'object' || value === null) return false;
  const owner = path.slice(0, -1).reduce((at, name) => at?.[name], value);
  const isHere = typeof owner === 'object' && owner !== null && Object.hasOwn(owner, path.at(-1));
  if (isHere) delete owner[path.at(-1)];
  return Object.values(value).reduce((isBelow, child) => remove(child, path) || isBelow, isHere);
}
