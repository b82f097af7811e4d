/** docs/reference/core-coverage.md is written by hand; what it names must be there. */
import { existsSync, readFileSync } from 'node:fs'

const root = new URL('../../../', import.meta.url)
const page = readFileSync(new URL('docs/reference/core-coverage.md', root), 'utf8')

/** Short name of a folder → where it is, as the page itself says. */
const folders = new Map(
  [...page.matchAll(/`(\w+\/)` is `([\w/-]+\/)`/g)].map(([, short = '', folder = '']) => [short, folder]),
)

const named = [...page.matchAll(/`((?:[\w-]+\/)+[\w.-]+)`/g)].flatMap(([, name = '']) => {
  const short = name.slice(0, name.indexOf('/') + 1)
  return folders.has(short) ? [`${folders.get(short) ?? ''}${name.slice(short.length)}.test.ts`] : []
})

describe('the coverage of core', () => {
  it('names tests that there are', () => {
    expect(folders.size).toBe(7)
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter((file) => !existsSync(new URL(file, root)))).toEqual([])
  })

  it('proves each sentence by at least one test, or says what was decided instead', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Sentence'))
    expect(rows.length).toBeGreaterThan(60)
    const bare = rows.filter((row) => {
      const [, , tests = '', decided = ''] = row.split('|').map((cell) => cell.trim())
      return !tests.includes('`') && decided === ''
    })
    expect(bare).toEqual([])
  })
})
