import t from 'tap';
import ts from 'typescript';
import { readSources } from './source-files.js';

const LINES_MAX = 100;
/** Composition roots and state machines. Lower the number when you have split one. */
const ALLOWED = 10;

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  (ts.isFunctionDeclaration(node) ||
    ts.isFunctionExpression(node) ||
    ts.isArrowFunction(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node)) &&
  node.body !== undefined;

function longIn(path: string, text: string): string[] {
  const found: string[] = [];
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const visit = (node: ts.Node): void => {
    if (isFunction(node)) {
      const [first, last] = [lineOf(node.getStart(file)), lineOf(node.getEnd())];
      if (last - first + 1 > LINES_MAX) found.push(`${path}:${first + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

t.test('few functions have more than 100 lines', async (t) => {
  t.equal(longIn('a.ts', `function a() {${'\n'.repeat(LINES_MAX)}}`).length, 1, 'one would be found');
  const sources = readSources().filter(({ unit }) => unit !== 'packages/local-stack');
  const long = sources.flatMap(({ path, text }) => longIn(path, text));
  t.ok(long.length <= ALLOWED, `${long.length} functions, ${ALLOWED} are allowed:\n${long.join('\n')}`);
});
