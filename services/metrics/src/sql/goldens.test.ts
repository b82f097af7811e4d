/** Body in, plan and SQL out. A difference in the snapshot is a difference in what the engine is asked. */
import { goldens } from '../../test/data/goldens.ts'
import type { Resource } from '../catalogue/attribute.ts'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { applyPasses } from '../plan/passes/index.ts'
import type { Plan } from '../plan/plan.ts'
import { createCursorCodec } from '../request/cursor.ts'
import { parse } from '../request/parse.ts'
import { bodyKeyOf } from '../request/query.ts'
import { resolve } from '../request/resolve.ts'
import { render, renderExportKeys, renderExportRecords } from './render.ts'

const resource = loadCatalogue().get('orders') as Resource
const cursors = createCursorCodec(Buffer.from('golden'))
const now = new Date('2022-01-15T12:00:00Z')

const planOf = ({ kind, query, filter, marketIds }: (typeof goldens)[number]) => {
  const scope = { organizationId: 'orgAAAAAAA', mode: 'test', ...(marketIds && { marketIds }) } as const
  const raw = parse(bodyKeyOf(kind), { [bodyKeyOf(kind)]: query, ...(filter && { filter }) }, 'strict')
  const plan = buildPlan(resolve(kind, raw, scope, { resource, dialect: 'strict', cursors, now }))
  return { plan, scope }
}

/** Attributes by their path alone. */
const readable = (plan: Plan): unknown =>
  JSON.parse(
    JSON.stringify(plan, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'place' in value && 'path' in value ? value.path : value,
    ),
  )

const statementsOf = (plan: Plan) =>
  plan.kind === 'export'
    ? [renderExportKeys(plan), renderExportRecords(plan, [['2021-01-01 00:00:00.000', 'orderAAAAA']])]
    : render(plan)

/** One clause a line. */
const lines = (text: string): readonly string[] =>
  text.split(/ (?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|AND) )/)

describe('the way of a body', () => {
  it.each(goldens.map((golden) => [golden.name, golden] as const))('%s', (_name, golden) => {
    const { plan, scope } = planOf(golden)
    const scoped = applyPasses(plan, { scope, resource })
    const statements = statementsOf(scoped).map(({ text, params }) => ({ sql: lines(text), params }))
    expect({ plan: readable(scoped), statements }).toMatchSnapshot()
  })

  it.each(goldens.map((golden) => [golden.name, golden] as const))(
    'is never rendered without its environment: %s',
    (_name, golden) => {
      expect(() => statementsOf(planOf(golden).plan)).toThrow('without the environment predicate')
    },
  )

  it.each(goldens.map((golden) => [golden.name, golden] as const))(
    'reads the orders table nowhere without the environment predicate: %s',
    (_name, golden) => {
      const { plan, scope } = planOf(golden)
      for (const { text } of statementsOf(applyPasses(plan, { scope, resource }))) {
        const reads = text.split(' FINAL').length - 1
        const guards =
          text.split(/`orders` FINAL WHERE organization_id = \{p\d+:String\} AND mode = \{p\d+:String\}/)
            .length - 1
        expect(reads).toBeGreaterThan(0)
        expect(guards).toBe(reads)
      }
    },
  )

  it('keeps every value out of the text', () => {
    for (const golden of goldens) {
      const { plan, scope } = planOf(golden)
      for (const { text } of statementsOf(applyPasses(plan, { scope, resource }))) {
        expect(text).not.toMatch(/orgAAAAAAA|marketEURO|Engraving|ABCDEFGH|gmail|2021-/)
      }
    }
  })
})
