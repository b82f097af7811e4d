import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import type { Row } from '../engine/engine.ts'
import type { AggregatePlan } from '../plan/plan.ts'
import { SORTED_MAX } from '../sql/render-measure.ts'
import type { Statement } from '../sql/statement.ts'
import { runLevels } from './run-levels.ts'

const orders = loadCatalogue().get('orders')
const market = orders?.attributes.get('market.name')
const status = orders?.attributes.get('order.status')
const total = orders?.attributes.get('order.total_amount')
if (orders === undefined || market === undefined || status === undefined || total === undefined)
  throw new Error('the catalogue lacks what is asked')

const level = { measure: { field: total, operator: 'sum' }, order: [], limit: 10 } as const
const plan: AggregatePlan = {
  kind: 'aggregate',
  reach: { table: orders.table, environment: { organizationId: 'orgAAAAAAA', mode: 'test' }, predicates: [] },
  levels: [
    { ...level, key: { attribute: market } },
    { ...level, key: { attribute: status } },
  ],
}

const runWith = async (answers: readonly (readonly Row[])[], asking = plan) => {
  const asked: Statement[] = []
  const levels = await runLevels(asking, async (statement) => {
    asked.push(statement)
    return answers[asked.length - 1] ?? []
  })
  return { asked, levels }
}

describe('the levels of an aggregate', () => {
  it('look into the buckets that the level above shows', async () => {
    const inner = [{ k0: 'Europe', k1: 'placed', value: '3' }]
    const { asked, levels } = await runWith([[{ k0: 'Europe', value: '3' }], inner])
    expect(levels[1]).toEqual(inner)
    expect(Object.values(asked[1]?.params ?? {})).toContainEqual(['Europe'])
    expect(asked[1]?.text.split(' FINAL')).toHaveLength(2)
  })

  it('are not queried for an empty outer level', async () => {
    const { asked, levels } = await runWith([[]])
    expect(asked).toHaveLength(1)
    expect(levels).toEqual([[], []])
  })

  it('find the buckets above again when there are too many to name', async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => ({ k0: `market ${index}`, value: '1' }))
    const { asked } = await runWith([many, []])
    expect(asked[1]?.text.split(' FINAL')).toHaveLength(3)
  })

  it.each([
    ['letters', 'x', 4_000, 2],
    ['letters of three bytes', '商', 4_000, 3],
  ])('find them again when their names are too long: ten of %s', async (_name, letter, length, tables) => {
    const long = Array.from({ length: 10 }, (_, index) => ({
      k0: `${index}${letter.repeat(length - 1)}`,
      value: '1',
    }))
    const { asked } = await runWith([long, []])
    expect(asked[1]?.text.split(' FINAL')).toHaveLength(tables)
  })

  describe('that are percentiles', () => {
    const measure = { field: total, operator: 'percentiles' } as const
    const asking: AggregatePlan = { ...plan, levels: [{ ...level, key: { attribute: market }, measure }] }
    const row = (counted: number): Row => ({ k0: 'Europe', percentiles: [], counted: String(counted) })

    it('are picked from values that are sorted while they are gathered', async () => {
      const { asked, levels } = await runWith([[row(5), row(SORTED_MAX)]], asking)
      expect(levels).toEqual([[row(5), row(SORTED_MAX)]])
      expect(asked).toHaveLength(1)
      expect(asked[0]?.text).toContain(`groupArraySorted(${SORTED_MAX})(m)`)
    })

    it('are queried again when a bucket has more values than the statement sorts', async () => {
      const whole = [row(5), { ...row(SORTED_MAX + 1), percentiles: ['1'] }]
      const { asked, levels } = await runWith([[row(5), row(SORTED_MAX + 1)], whole], asking)
      expect(levels).toEqual([whole])
      expect(asked[1]?.text).toContain('arraySort(groupArray(m))')
    })
  })
})
