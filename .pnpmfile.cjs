/**
 * @prisma/client names the prisma command line and TypeScript as optional peers. Both are only here to build, but as
 * resolved peers they would follow the client into every production image: 240 MB that nothing there ever loads.
 */
function readPackage(manifest) {
  if (manifest.name === '@prisma/client') {
    delete manifest.peerDependencies;
    delete manifest.peerDependenciesMeta;
  }
  return manifest;
}

module.exports = { hooks: { readPackage } };
