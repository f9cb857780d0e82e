/** Kana, and the character of another script that is drawn like it. */
const twins = new Map(
  ['カ力', 'ロ口', 'ニ二', 'ト卜', 'エ工', 'タ夕', 'ハ八', 'オ才', 'チ千', 'ー一', 'ヘへ'].map((pair) => {
    const [kana = '', other = ''] = pair;
    return [kana, other];
  }),
);
const others = new Set(twins.values());
const hasTwin = (character: string) => twins.has(character) || others.has(character);
const katakana = /\p{scx=Katakana}/u;
const syllables = /[\p{scx=Hiragana}\p{scx=Katakana}]/u;
const eastAsian = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u;

/**
 * Whether a character replaces its twin: 力 in カ’s place. A run of twins is kana if a kana without a twin is beside it,
 * otherwise Chinese (of へ and ヘ: Hiragana), so of two names that look the same one is wrong.
 */
export function hasMisplacedTwin(name: string): boolean {
  // Voice marks are taken off, since ベ and べ are as alike as ヘ and へ.
  const characters = [...name.normalize('NFD').replace(/[\u3099\u309a]/g, '')];
  for (let at = 0; at < characters.length; at++) {
    if (!hasTwin(characters[at] ?? '')) continue;
    let end = at;
    while (end < characters.length && hasTwin(characters[end] ?? '')) end++;
    const beside = [characters[at - 1] ?? '', characters[end] ?? ''].filter((one) => eastAsian.test(one));
    const run = characters.slice(at, end);
    if (run.some((character) => isMisplaced(character, beside))) return true;
    at = end;
  }
  return false;
}

function isMisplaced(character: string, beside: readonly string[]): boolean {
  // The long vowel mark belongs to Hiragana and Katakana alike, all other twins to Katakana.
  const expectsKana = beside.some((one) => (isLongVowel(character) ? syllables : katakana).test(one));
  return twins.has(character) !== expectsKana;
}

function isLongVowel(character: string): boolean {
  return character === 'ー' || character === '一';
}
