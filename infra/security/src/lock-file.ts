/** pnpm-lock.yaml → every package of the tree, with what its release weighs in trust: integrity, platform, who needs it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'

interface DependencyTable {
  readonly [name: string]: { readonly version: string }
}

interface Importer {
  readonly dependencies?: DependencyTable
  readonly devDependencies?: DependencyTable
  readonly optionalDependencies?: DependencyTable
}

interface Snapshot {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface LockFile {
  readonly importers: Readonly<Record<string, Importer>>
  readonly packages: Readonly<
    Record<
      string,
      { readonly resolution: { readonly integrity: string }; readonly os?: unknown; readonly cpu?: unknown }
    >
  >
  readonly snapshots: Readonly<Record<string, Snapshot>>
}

export interface LockedPackage {
  readonly name: string
  readonly version: string
  /** `sha512-<base64>` */
  readonly integrity: string
  /** Of one platform, or needed by packages of one only, so that it may be absent from this machine. */
  readonly isOfPlatform: boolean
  /** A service needs it at run time. */
  readonly isProduction: boolean
}

/** The folders whose production dependencies are in the images. */
const SERVICES = ['services/auth', 'services/console', 'services/core', 'services/metrics']

export const readLockFile = (root: string): LockFile =>
  parse(readFileSync(path.join(root, 'pnpm-lock.yaml'), 'utf8')) as LockFile

/** `pkg@1.0.0(peer@2.0.0)` → `pkg@1.0.0` */
const withoutPeers = (key: string): string => key.split('(', 1)[0] ?? key

const nameAndVersion = (key: string): { name: string; version: string } => {
  const at = key.lastIndexOf('@')
  return { name: key.slice(0, at), version: key.slice(at + 1) }
}

/** Keys of snapshots that a folder of the workspace needs at run time, and the folders it links to. */
const entriesOf = ({ importers }: LockFile, folder: string): { keys: string[]; folders: string[] } => {
  const { dependencies = {}, optionalDependencies = {} } = importers[folder] ?? {}
  const keys: string[] = []
  const folders: string[] = []
  for (const [name, { version }] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    if (version.startsWith('link:')) folders.push(path.posix.join(folder, version.slice('link:'.length)))
    else keys.push(`${name}@${version}`)
  }
  return { keys, folders }
}

const productionKeys = (lock: LockFile): ReadonlySet<string> => {
  const folders = [...SERVICES]
  const keys: string[] = []
  for (const folder of folders) {
    const found = entriesOf(lock, folder)
    keys.push(...found.keys)
    folders.push(...found.folders.filter((other) => !folders.includes(other)))
  }
  return reachedFrom(lock, keys)
}

/** Everything below these snapshots; below packages that `isEnd` only themselves. */
const reachedFrom = (
  lock: LockFile,
  keys: readonly string[],
  isEnd: (key: string) => boolean = () => false,
): ReadonlySet<string> => {
  const left = [...keys]
  const seen = new Set<string>()
  for (let key = left.pop(); key !== undefined; key = left.pop()) {
    if (seen.has(key)) continue
    seen.add(key)
    if (isEnd(withoutPeers(key))) continue
    const { dependencies = {}, optionalDependencies = {} } = lock.snapshots[key] ?? {}
    const below = Object.entries({ ...dependencies, ...optionalDependencies })
    left.push(...below.map(([name, version]) => `${name}@${version}`))
  }
  return new Set([...seen].map(withoutPeers))
}

const isOfPlatform = ({ packages }: LockFile, key: string): boolean =>
  packages[key]?.os !== undefined || packages[key]?.cpu !== undefined

/** What this machine has whatever its platform: reached without a package of one. */
const everywhereKeys = (lock: LockFile): ReadonlySet<string> => {
  const first = Object.values(lock.importers).flatMap(
    ({ dependencies = {}, devDependencies = {}, optionalDependencies = {} }) =>
      Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, { version }]) => !version.startsWith('link:'))
        .map(([name, { version }]) => `${name}@${version}`),
  )
  return reachedFrom(lock, first, (key) => isOfPlatform(lock, key))
}

/** Sorted by name, then version. */
export const listPackages = (lock: LockFile): readonly LockedPackage[] => {
  const production = productionKeys(lock)
  const everywhere = everywhereKeys(lock)
  return Object.entries(lock.packages)
    .map(([key, { resolution }]) => ({
      ...nameAndVersion(key),
      integrity: resolution.integrity,
      isOfPlatform: isOfPlatform(lock, key) || !everywhere.has(key),
      isProduction: production.has(key),
    }))
    .sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1))
}
