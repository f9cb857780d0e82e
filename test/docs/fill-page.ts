/** The page with another text between two marks. */
export function fillPage(page: string, before: string, part: string, after: string): string {
  const start = page.indexOf(before) + before.length;
  const end = page.indexOf(after, start);
  if (start < before.length || end === -1) throw new Error(`there is nothing between ${before} and ${after}`);
  return page.slice(0, start) + part + page.slice(end);
}
