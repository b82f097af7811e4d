import { toBatch } from './batch.ts'
import type { PreparedPage } from './prepare-page.ts'

const entryOf = (id: string, version: number) => ({
  organizationId: 'o',
  mode: 'live',
  id,
  version,
  returnIds: [],
  order: '[]',
  returns: [],
})

const pageOf = (cursor: string, ...entries: readonly ReturnType<typeof entryOf>[]): PreparedPage => ({
  entries,
  poisoned: [],
  cursor,
  caughtUp: false,
})

describe('toBatch', () => {
  it('takes the newest state of each order and the cursor of the last page', () => {
    const { entries, ...rest } = toBatch([
      pageOf('1', entryOf('a', 1), entryOf('b', 4)),
      pageOf('2', entryOf('b', 3), entryOf('a', 2)),
    ])
    expect(entries.map(({ id, version }) => `${id}${version}`)).toEqual(['a2', 'b4'])
    expect(rest).toEqual({ poisoned: [], cursor: '2', caughtUp: false, count: 4 })
  })

  it('refuses to make a batch of no pages', () => {
    expect(() => toBatch([])).toThrow('a batch needs a page')
  })

  const broken = (cursor: string, version: number): PreparedPage => ({
    ...pageOf(cursor),
    poisoned: [{ ...entryOf('a', version), reason: '/document/status must be string', source: '{}' }],
  })
  const whole = (cursor: string, version: number): PreparedPage => pageOf(cursor, entryOf('a', version))

  it.each([
    ['quarantines an order whose newest state cannot be stored', [whole('1', 2), broken('2', 3)], [3]],
    [
      'does not quarantine an order with a newer state that can be stored',
      [broken('1', 2), whole('2', 3)],
      [],
    ],
    ['quarantines an invalid state without a version', [whole('1', 2), broken('2', 0)], [0]],
  ])('%s', (_name, pages, versions) => {
    const { poisoned, count } = toBatch(pages)
    expect(poisoned.map(({ version }) => version)).toEqual(versions)
    expect(count).toBe(2)
  })
})
