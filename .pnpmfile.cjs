/**
 * @prisma/client names the prisma command line and TypeScript as optional peers. Both are only here to build, but as
 * resolved peers they would follow the client into every production image: 240 MB that nothing there ever loads. The
 * same goes for valibot, which Bull Board brings.
 */
const WITHOUT_PEERS = ['@prisma/client', 'valibot'];

function readPackage(manifest) {
  if (WITHOUT_PEERS.includes(manifest.name)) {
    delete manifest.peerDependencies;
    delete manifest.peerDependenciesMeta;
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
