/**
 * `@prisma/client` names the `prisma` command line as an optional peer, which it needs only to generate. Resolved as
 * such it would bring its whole tool chain (a database, React, TypeScript: 200 MB) into every production image.
 */
const readPackage = (manifest) => {
  if (manifest.name === '@prisma/client') {
    delete manifest.peerDependencies
    delete manifest.peerDependenciesMeta
  }
  return manifest
}

module.exports = { hooks: { readPackage } }
