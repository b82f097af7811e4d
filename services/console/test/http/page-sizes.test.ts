/** What a browser has to load: the first page at most 200 kB, any screen at most 60 kB more, gzipped. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PAGE_FOLDER, readPageFiles } from '../../src/page-files.ts'

/** What Vite's manifest says of a file: which others are loaded with it, and which when they are asked for. */
interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

const FIRST_LOAD_BYTES_MAX = 200_000
const SCREEN_BYTES_MAX = 60_000

const manifest = JSON.parse(readFileSync(path.join(PAGE_FOLDER, '.vite/manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>
const { index, assets } = readPageFiles()

const chunkOf = (name: string): Chunk => {
  const chunk = manifest[name]
  if (chunk === undefined) throw new Error(`the manifest has no ${name}`)
  return chunk
}

/** Names of the files that are loaded with it. */
const filesOf = (name: string, seen = new Set<string>()): ReadonlySet<string> => {
  const { file, css = [], imports = [] } = chunkOf(name)
  if (seen.has(file)) return seen
  for (const each of [file, ...css]) seen.add(each)
  for (const each of imports) filesOf(each, seen)
  return seen
}

const gzippedBytes = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + (assets.get(path.basename(file))?.gzipped.length ?? NaN), 0)

const entries = Object.keys(manifest).filter((name) => chunkOf(name).isEntry === true)
const screens = Object.keys(manifest).filter((name) => chunkOf(name).isDynamicEntry === true)
const firstLoad = new Set(entries.flatMap((name) => [...filesOf(name)]))

it(`loads at most ${FIRST_LOAD_BYTES_MAX} bytes before the first screen`, () => {
  expect(entries).toHaveLength(1)
  const bytes = index.gzipped.length + gzippedBytes(firstLoad)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
})

it(`loads at most ${SCREEN_BYTES_MAX} bytes more for any screen`, () => {
  expect(screens.length).toBeGreaterThan(20)
  const sizes = screens.map((name) => ({
    name,
    bytes: gzippedBytes([...filesOf(name)].filter((file) => !firstLoad.has(file))),
  }))
  expect(sizes.filter(({ bytes }) => !(bytes <= SCREEN_BYTES_MAX))).toEqual([])
})
