import type { Resource } from '../../catalogue/attribute.ts'
import { loadCatalogue } from '../../catalogue/load-catalogue.ts'
import type { Plan } from '../plan.ts'
import { breakTies } from './break-ties.ts'
import { clampRange } from './clamp-range.ts'
import { applyPasses } from './index.ts'
import { keepPopulation } from './keep-population.ts'
import { scopeToEnvironment } from './scope-to-environment.ts'
import { scopeToMarkets } from './scope-to-markets.ts'
import { scopeToStore } from './scope-to-store.ts'

const resource = loadCatalogue().get('orders') as Resource
const at = (path: string) => {
  const attribute = resource.attributes.get(path)
  if (attribute === undefined) throw new Error(path)
  return attribute
}
const scope = { organizationId: 'o', mode: 'live' } as const
const context = { scope, resource }
const range = {
  attribute: at('order.placed_at'),
  from: new Date('0000-01-01T00:00:00Z'),
  to: new Date('+010000-01-01T00:00:00Z'),
}
const search: Plan = {
  kind: 'search',
  reach: { table: resource.table, range, predicates: [] },
  fields: [],
  order: [{ attribute: at('order.placed_at'), direction: 'asc' }],
  limit: 1,
}
const measure = { field: at('order.id'), operator: 'value_count' } as const
const aggregate: Plan = {
  kind: 'aggregate',
  reach: { table: resource.table, range, predicates: [] },
  levels: [
    {
      key: { attribute: at('order.placed_at'), interval: 'day' },
      measure,
      order: [{ by: 'key', direction: 'asc' }],
    },
    { key: { attribute: at('market.name') }, measure, order: [{ by: 'value', direction: 'desc' }] },
  ],
}

/** Fails on any write, so that a pass that changes its input shows. */
const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !(value instanceof Date) && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(frozen)
  }
  return value
}

describe('passes', () => {
  it('leave the plan they get as it is', () => {
    for (const plan of [search, aggregate]) expect(() => applyPasses(frozen(plan), context)).not.toThrow()
  })

  it('bring the range within what the engine compares', () => {
    const { range: clamped } = clampRange(search, context).reach
    expect([clamped?.from, clamped?.to].map((date) => date?.toISOString())).toEqual([
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ])
  })

  it('scope to organization and mode of the token', () => {
    expect(scopeToEnvironment(search, context).reach.environment).toEqual({
      organizationId: 'o',
      mode: 'live',
    })
  })

  it('scope to the markets of the token, also to none', () => {
    expect(scopeToMarkets(search, context).reach.marketIds).toBeUndefined()
    expect(scopeToMarkets(search, { resource, scope: { ...scope, marketIds: [] } }).reach.marketIds).toEqual(
      [],
    )
  })

  it('scope to the store of the token', () => {
    expect(scopeToStore(search, context).reach.storeId).toBeUndefined()
    expect(scopeToStore(search, { resource, scope: { ...scope, storeId: 'a' } }).reach.storeId).toBe('a')
  })

  it('keep orders from placement on', () => {
    expect(keepPopulation(aggregate, context).reach.statuses).toEqual([
      'placed',
      'approved',
      'cancelled',
      'editing',
    ])
  })

  it('make every order total', () => {
    expect(breakTies(search, context)).toMatchObject({
      order: [{}, { attribute: at('order.id'), direction: 'asc' }],
    })
    expect(breakTies(aggregate, context)).toMatchObject({
      levels: [
        { order: [{ by: 'key', direction: 'asc' }] },
        {
          order: [
            { by: 'value', direction: 'desc' },
            { by: 'key', direction: 'asc' },
          ],
        },
      ],
    })
  })

  it('give the same plan in any order', () => {
    const all = [clampRange, scopeToEnvironment, scopeToMarkets, keepPopulation, breakTies]
    for (const plan of [search, aggregate]) {
      const forward = all.reduce<Plan>((current, pass) => pass(current, context), plan)
      const backward = all.reduceRight<Plan>((current, pass) => pass(current, context), plan)
      expect(backward).toEqual(forward)
    }
  })
})
