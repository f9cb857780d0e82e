/** Says on stderr when this Node is too old. Written so that an old Node can parse it. */
export function isNodeRecentEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return true;
  console.error(`Verdict needs Node 20.19 or newer; this is ${process.versions.node} (${process.execPath}).`);
  return false;
}
