/** What each dependency may be used under, and whether that is allowed here (docs/adr/0043-supply-chain.md). */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import satisfies from 'spdx-satisfies'
import type { LockedPackage } from './lock-file.ts'

/** In the images: only licences that ask for a notice. */
const ALLOWED_IN_PRODUCTION = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]

/** Tools are not given away, so data under CC-BY and a library under a weak copyleft are fine for them. */
const ALLOWED_IN_TOOLS = [
  ...ALLOWED_IN_PRODUCTION,
  'CC-BY-3.0',
  'CC-BY-4.0',
  'EPL-2.0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
]

/** Licences that a package states in words of its own, after somebody read them. */
const STATED: Readonly<Record<string, string>> = {
  '@visx/vendor': 'MIT AND ISC',
  'seq-queue': 'MIT',
}

export interface LicensedPackage extends LockedPackage {
  /** SPDX expression; undefined when the package is not installed here. */
  readonly licence: string | undefined
}

interface Manifest {
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
}

/** `@types+babel__core@7.20.5` of `@types+babel__core@7.20.5_peer@1.0.0`. */
const RELEASE = /^.+?@\d[^_]*/

/** pnpm keeps each release in a folder named after it; a release with peers has some of them, all alike. */
const folderOf = (store: ReadonlyMap<string, string>, { name, version }: LockedPackage): string | undefined =>
  store.get(`${name.replace('/', '+')}@${version}`)

const statedBy = ({ license, licenses }: Manifest): string => {
  if (typeof license === 'string') return license
  const types = license === undefined ? (licenses ?? []).map(({ type }) => type) : [license.type]
  return types.length === 0 ? 'none stated' : types.join(' OR ')
}

export const withLicences = (
  root: string,
  packages: readonly LockedPackage[],
  folders: readonly string[],
): readonly LicensedPackage[] => {
  const store = new Map(folders.map((folder) => [RELEASE.exec(folder)?.[0] ?? folder, folder]))
  return packages.map((each) => {
    const folder = folderOf(store, each)
    const file = path.join(
      root,
      'node_modules/.pnpm',
      folder ?? '',
      'node_modules',
      each.name,
      'package.json',
    )
    if (folder === undefined || !existsSync(file)) return { ...each, licence: undefined }
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    return { ...each, licence: STATED[each.name] ?? statedBy(manifest) }
  })
}

const isAllowed = (licence: string, allowed: string[]): boolean => {
  try {
    return satisfies(licence, allowed)
  } catch {
    return false // no SPDX expression: somebody has to read it, then it goes into STATED
  }
}

/** One sentence for each package that may not be used; none is fine. */
export const refuseLicences = (packages: readonly LicensedPackage[]): readonly string[] =>
  packages.flatMap(({ name, version, licence, isOfPlatform, isProduction }) => {
    if (licence === undefined)
      return isOfPlatform ? [] : [`${name}@${version} is not installed, so its licence is unknown`]
    const allowed = isProduction ? ALLOWED_IN_PRODUCTION : ALLOWED_IN_TOOLS
    return isAllowed(licence, allowed)
      ? []
      : [`${name}@${version} is under "${licence}"; allowed: ${allowed.join(', ')}`]
  })
