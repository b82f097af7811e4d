/** Body in, plan and SQL out. A difference in the snapshot is a difference in what the engine runs. */
import { goldens, type Golden } from '../../test/data/goldens.ts'
import type { Resource } from '../catalogue/attribute.ts'
import { loadCatalogue, loadFbt } from '../catalogue/load-catalogue.ts'
import { buildPlan } from '../plan/build-plan.ts'
import { applyPasses } from '../plan/passes/index.ts'
import type { Plan } from '../plan/plan.ts'
import { createCursorCodec } from '../request/cursor.ts'
import { parse } from '../request/parse.ts'
import { bodyKeyOf } from '../request/query.ts'
import { resolve } from '../request/resolve.ts'
import {
  renderBuckets,
  renderExportKeys,
  renderExportRecords,
  renderFirstRecords,
  renderPairs,
  renderSearchCount,
  renderSearchPage,
} from './render.ts'
import type { Statement } from './statement.ts'

const catalogue = loadCatalogue()
const resourceOf = (golden: Golden): Resource => catalogue.get(golden.resource ?? 'orders') as Resource
const cursors = createCursorCodec(Buffer.from('golden'))
const now = new Date('2022-01-15T12:00:00Z')

const planOf = (golden: Golden) => {
  const { kind, query, filter, marketIds } = golden
  const resource = resourceOf(golden)
  const scope = { organizationId: 'orgAAAAAAA', mode: 'test', ...(marketIds && { marketIds }) } as const
  const raw = parse(bodyKeyOf(kind), { [bodyKeyOf(kind)]: query, ...(filter && { filter }) }, 'strict')
  const plan = buildPlan(
    resolve(kind, raw, scope, { resource, dialect: 'strict', cursors, now, mayRead: () => true }),
  )
  return { plan, scope, resource }
}

/** Attributes by their path alone. */
const readable = (plan: Plan): unknown =>
  JSON.parse(
    JSON.stringify(plan, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'place' in value && 'path' in value ? value.path : value,
    ),
  )

/** A cursor behind the first page. */
const AFTER = {
  sortedAtMs: Date.UTC(2022, 0, 15),
  id: 'orderAAAAA',
  fromMs: 0,
  toMs: 0,
  total: 50,
  shown: 20,
  spacingMs: 1,
}

/** Every form that the statements of a plan can take. */
const statementsOf = (plan: Plan): readonly Statement[] => {
  switch (plan.kind) {
    case 'export':
      return [renderExportKeys(plan), renderExportRecords(plan, [['2021-01-01 00:00:00.000', 'orderAAAAA']])]
    case 'search':
      return [
        renderSearchCount(plan),
        renderFirstRecords(plan, 1),
        renderFirstRecords(plan, 2),
        renderSearchPage(plan),
        renderSearchPage({ ...plan, after: AFTER }),
        renderSearchPage({ ...plan, after: AFTER, untilMs: Date.UTC(2022, 0, 14) }),
        renderSearchPage({ ...plan, after: { ...AFTER, sortedAtMs: null } }),
      ]
    case 'fbt':
      return [renderPairs(plan)]
    case 'aggregate':
      return plan.levels.flatMap((_, depth) => [
        renderBuckets(plan, depth),
        ...(depth === 0 ? [] : [renderBuckets(plan, depth, { outer: [['100', '200'].slice(0, depth)] })]),
      ])
  }
}

/** One clause a line. */
const lines = (text: string): readonly string[] =>
  text.split(/ (?=(?:FROM|WHERE|GROUP BY|HAVING|ORDER BY|LIMIT|AND) )/)

describe('a body becomes a plan and statements', () => {
  it.each(goldens.map((golden) => [golden.name, golden] as const))('%s', (_name, golden) => {
    const { plan, scope, resource } = planOf(golden)
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
      const { plan, scope, resource } = planOf(golden)
      for (const { text, params } of statementsOf(applyPasses(plan, { scope, resource }))) {
        const timesOf = (form: RegExp): number => text.split(form).length - 1
        const reads = timesOf(/FROM `(?:orders|returns)`/)
        const compared = timesOf(/FROM `(?:orders|returns)`(?: FINAL)? WHERE environment = \{p\d+:String\}/)
        // a hint compares nothing: the populations of the environment do
        const hinted = timesOf(
          /FROM `orders`(?: FINAL)? WHERE indexHint\(environment = \{p\d+:String\}\) AND (?:(?!FROM ).)*?population IN \{p\d+:Array\(String\)\}/,
        )
        expect(reads).toBeGreaterThan(0)
        expect(compared + hinted).toBe(reads)
        for (const [, name = ''] of text.matchAll(/population IN \{(p\d+):/g)) {
          const populations = params[name] as readonly string[]
          expect(populations.length).toBeGreaterThan(0)
          for (const one of populations) expect(one).toMatch(/^orgAAAAAAA\/test\/[a-z]+$/)
        }
      }
    },
  )

  it('of an fbt reads within the environment alone, and is never rendered without', () => {
    const fbt = loadFbt(catalogue)
    const plan = {
      kind: 'fbt',
      reach: { table: fbt.resource.table, predicates: [] },
      itemIds: ['itemAAAAAA'],
      itemTypes: fbt.itemTypes,
      limit: 10,
    } as const
    expect(() => renderPairs(plan)).toThrow('without the environment predicate')
    const scope = { organizationId: 'orgAAAAAAA', mode: 'test', marketIds: ['marketEURO'] } as const
    const statements = statementsOf(applyPasses(plan, { scope, resource: fbt.resource }))
    expect(statements.map(({ text, params }) => ({ sql: lines(text), params }))).toMatchSnapshot()
  })

  it('keeps every value out of the text', () => {
    for (const golden of goldens) {
      const { plan, scope, resource } = planOf(golden)
      for (const { text } of statementsOf(applyPasses(plan, { scope, resource }))) {
        expect(text).not.toMatch(/orgAAAAAAA|marketEURO|orderAAAAA|Engraving|ABCDEFGH|gmail|202[12]-/)
      }
    }
  })
})
