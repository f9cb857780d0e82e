import t from 'tap';
import { csvOf } from '../src/ui/file/csv-of.ts';

t.test('cells are quoted, and no spreadsheet runs one as a formula', async (t) => {
  t.equal(csvOf(['row', 'value'], [[1, 'plain']]), 'row,value\r\n1,plain\r\n');
  t.equal(csvOf(['a'], [['x,"y"\nz']]), 'a\r\n"x,""y""\nz"\r\n');
  for (const [cell, safe] of [
    ['=1+1', "'=1+1"],
    ['@a', "'@a"],
    ['+1', "'+1"],
  ] as const) {
    t.equal(csvOf(['a'], [[cell]]), `a\r\n${safe}\r\n`);
  }
  t.equal(csvOf(['a'], [[-5]]), 'a\r\n-5\r\n', 'a number is no formula');
});
