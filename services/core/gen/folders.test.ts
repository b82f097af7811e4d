/** The folders of core: imports point one way, no circles, and what serves every type names none (ADR 72). */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { resources } from '../src/areas.ts'

const SOURCE = fileURLToPath(new URL('../src', import.meta.url))

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('generated'),
)
const textOf = (file: string): string => readFileSync(path.join(SOURCE, file), 'utf8')

/** `orders` of `orders/totals/order-totals.ts`; empty for files of the root, which put everything together. */
const folderOf = (file: string): string => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '')

interface Import {
  readonly file: string
  readonly from: string
  readonly to: string
}

const imports: readonly Import[] = files.flatMap((file) =>
  [...textOf(file).matchAll(/from '(\.[^']+)'/g)].flatMap(([, target = '']): readonly Import[] => {
    const to = folderOf(path.normalize(path.join(path.dirname(file), target)))
    const from = folderOf(file)
    return from === '' || from === to ? [] : [{ file, from, to }]
  }),
)

/** Folder → the folders below it that it may import; areas may import each other and all of these. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  definitions: [],
  access: ['definitions'],
  engine: ['access', 'definitions'],
  states: ['engine', 'access', 'definitions'],
  jobs: ['engine', 'access', 'definitions'],
  outside: ['engine', 'access', 'definitions'],
  'rules-engine': ['engine', 'access', 'definitions'],
}

const AREAS = [
  'activity',
  'bulk',
  'catalogue',
  'customers',
  'events',
  'gift-cards',
  'inventory',
  'markets',
  'orders',
  'payments',
  'promotions',
  'returns',
  'shipping',
  'subscriptions',
  'taxes',
]

const allowedFrom = (folder: string): readonly string[] => {
  if (folder in BELOW) return BELOW[folder] ?? []
  if (AREAS.includes(folder) || folder === 'order-feed') return [...AREAS, ...Object.keys(BELOW)]
  if (folder === 'internal') return [...AREAS, ...Object.keys(BELOW), 'order-feed']
  // Root files are the configuration, the telemetry and the list of areas.
  return [...AREAS, ...Object.keys(BELOW), 'order-feed', '']
}

describe('the folders of core', () => {
  it('are known', () => {
    const known = [...AREAS, ...Object.keys(BELOW), 'api', 'internal', 'order-feed', '']
    expect([...new Set(files.map(folderOf))].filter((folder) => !known.includes(folder))).toEqual([])
    expect(imports.length).toBeGreaterThan(100)
  })

  it('import only what is below them', () => {
    expect(imports.filter(({ from, to }) => !allowedFrom(from).includes(to))).toEqual([])
  })

  it('have no circles', () => {
    const targets = new Map<string, Set<string>>()
    for (const { from, to } of imports) targets.set(from, (targets.get(from) ?? new Set()).add(to))
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(targets.get(from) ?? [])].some((next) => {
        if (next === to) return true
        if (seen.has(next)) return false
        seen.add(next)
        return reaches(next, to, seen)
      })
    expect([...targets.keys()].filter((folder) => reaches(folder, folder))).toEqual([])
  })

  it.each(['engine', 'access', 'api', 'states', 'jobs'])('%s names no resource type', (folder) => {
    // `links` is a member of every document before it is a type.
    const types = new Set(resources.map(({ type }) => type).filter((type) => type !== 'links'))
    const named = files
      .filter((file) => folderOf(file) === folder)
      .flatMap((file) =>
        [
          ...textOf(file)
            .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
            .matchAll(/'([a-z_]+)'/g),
        ]
          .filter(([, word = '']) => types.has(word))
          .map(([, word]) => `${file}: ${word ?? ''}`),
      )
    expect(named).toEqual([])
  })
})
