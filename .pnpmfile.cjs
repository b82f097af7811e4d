/**
 * `@prisma/client` names the `prisma` command line as an optional peer, which it needs only to generate. Resolved as
 * such it would bring its whole tool chain (a database, React, TypeScript: 200 MB) into every production image.
 * `@lingui/core` depends on its Babel plugin for macros, which the console does without; it would bring Babel.
 */
const readPackage = (manifest) => {
  if (manifest.name === '@prisma/client') {
    delete manifest.peerDependencies
    delete manifest.peerDependenciesMeta
  }
  if (manifest.name === '@lingui/core') {
    delete manifest.dependencies['@lingui/babel-plugin-lingui-macro']
  }
  return manifest
}

module.exports = { hooks: { readPackage } }
