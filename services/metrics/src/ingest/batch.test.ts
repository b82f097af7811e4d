import { toBatch, toBatches } from './batch.ts'
import type { BlockPage } from './prepare-blocks.ts'
import type { PreparedPage } from './prepare-page.ts'

const factsOf = (id: string) => ({ organizationId: 'o', mode: 'live', id, version: 1, returnIds: [] })

const blocks = (cursor: string, ...ids: readonly string[]): BlockPage => ({
  facts: ids.map(factsOf),
  orders: new Uint8Array(),
  returns: undefined,
  source: new Uint8Array(),
  cursor,
  caughtUp: false,
})

const lines = (cursor: string, ...ids: readonly string[]): PreparedPage => ({
  entries: ids.map((id) => ({ ...factsOf(id), order: '[]', returns: [] })),
  poisoned: [],
  cursor,
  caughtUp: false,
})

const shapeOf = (pages: readonly (BlockPage | PreparedPage)[]) =>
  toBatches(pages).map((batch) => [
    'blocks' in batch ? batch.blocks.length : 'lines',
    batch.cursor,
    batch.count,
  ])

describe('batches', () => {
  it('hold pages of one kind, in the order of the feed', () => {
    const pages = [
      blocks('1', 'a', 'b'),
      blocks('2', 'c'),
      lines('3', 'd'),
      lines('4', 'e'),
      blocks('5', 'f'),
    ]
    expect(shapeOf(pages)).toEqual([
      [2, '2', 3],
      ['lines', '4', 2],
      [1, '5', 1],
    ])
  })

  it('hold no order in two blocks', () => {
    expect(shapeOf([blocks('1', 'a'), blocks('2', 'b', 'a'), blocks('3', 'c')])).toEqual([
      [1, '1', 1],
      [2, '3', 3],
    ])
  })

  it('are none without pages', () => {
    expect(toBatches([])).toEqual([])
  })

  describe('set an order apart', () => {
    const broken = (cursor: string, version: number): PreparedPage => ({
      ...lines(cursor),
      poisoned: [{ ...factsOf('a'), version, reason: '/document/status must be string', source: '{}' }],
    })
    const whole = (cursor: string, version: number): PreparedPage => ({
      ...lines(cursor),
      entries: [{ ...factsOf('a'), version, order: '[]', returns: [] }],
    })

    it.each([
      ['whose newest state cannot be stored', [whole('1', 2), broken('2', 3)], [3]],
      ['not, of which a newer state can be stored', [broken('1', 2), whole('2', 3)], []],
      ['whose version is not known', [whole('1', 2), broken('2', 0)], [0]],
    ])('%s', (_name, pages, versions) => {
      const { poisoned, count } = toBatch(pages)
      expect(poisoned.map(({ version }) => version)).toEqual(versions)
      expect(count).toBe(2)
    })
  })
})
