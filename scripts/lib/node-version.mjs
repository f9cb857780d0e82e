// Ends an old Node with a sentence. Like the commands that import it first, it keeps to syntax that an old Node can parse.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Verdict needs Node 20.19 or newer; this is ${process.versions.node} (${process.execPath}).`);
  process.exit(1);
}
