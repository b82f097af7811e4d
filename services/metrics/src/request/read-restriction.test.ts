import type { Caller } from '@merx/access-token/caller'
import { readRestrictionOf } from './read-restriction.ts'
import { scopeOf } from './scope.ts'

const caller = (restrictions: Readonly<Record<string, unknown>>, more: Partial<Caller> = {}): Caller => ({
  tokenId: '6f1c2b9e-1f43-4f6e-9d57-6d5d3f7b2c11',
  organization: { id: 'orgAAAAAAA', slug: 'brand' },
  mode: 'test',
  application: {
    id: 'appAAAAAAA',
    clientId: 'c',
    kind: 'integration',
    isPublic: false,
    isConfidential: true,
  },
  role: { id: 'r', kind: 'custom', permissions: [{ subject: 'orders', actions: ['read'], restrictions }] },
  scope: '',
  expiresAt: new Date('2026-11-20T12:00:00Z'),
  ...more,
})

const all = (conditions: object) => ({ rows: { all: conditions } })

describe('restrictions on reading orders', () => {
  it.each([
    ['none', {}, {}],
    ['on writes only', { rows: { update: { status_eq: 'draft' } }, fields: { update: ['metadata'] } }, {}],
    ['to markets', all({ market_id_in: ['mktA', 'mktB'] }), { marketIds: ['mktA', 'mktB'] }],
    ['to markets in one text', all({ market_id_in: 'mktA,mktB' }), { marketIds: ['mktA', 'mktB'] }],
    ['to a market', { rows: { read: { market_id_eq: 'mktA' } } }, { marketIds: ['mktA'] }],
    ['to a store', all({ store_id_eq: 'stoA' }), { storeId: 'stoA' }],
    [
      'twice to markets',
      { rows: { all: { market_id_in: ['mktA', 'mktB'] }, read: { market_id_in: ['mktB', 'mktC'] } } },
      { marketIds: ['mktB'] },
    ],
    [
      'to two stores at once',
      { rows: { all: { store_id_eq: 'stoA' }, read: { store_id_eq: 'stoB' } } },
      { marketIds: [], storeId: 'stoB' },
    ],
  ])('%s', (_name, restrictions, expected) => {
    expect(readRestrictionOf(caller(restrictions), 'orders')).toEqual(expected)
  })

  it.each([
    ['a status', all({ status_eq: 'placed' })],
    ['a market by code', all({ market_code_in: ['eu'] })],
    ['markets and a status', all({ market_id_eq: 'mktA', status_eq: 'placed' })],
    ['markets of an odd form', all({ market_id_in: [1] })],
    ['fields', { fields: { read: ['number'] } }],
    ['an unknown key', { where: {} }],
    ['rows of an odd form', { rows: [] }],
    ['conditions of an odd form', { rows: { all: 'x' } }],
  ])('to %s cannot be applied, so nothing is read', (_name, restrictions) => {
    expect(readRestrictionOf(caller(restrictions), 'orders')).toBeUndefined()
  })

  it('are those of the subject only', () => {
    expect(readRestrictionOf(caller({}), 'returns')).toBeUndefined()
  })
})

describe('the scope of a restricted role', () => {
  const inMarkets = (...ids: string[]) => ({ market: { ids, stockLocationIds: [] } })

  it.each([
    ['restriction alone', {}, { marketIds: ['mktA'] }, { marketIds: ['mktA'] }],
    ['both markets', inMarkets('mktA', 'mktB'), { marketIds: ['mktB', 'mktC'] }, { marketIds: ['mktB'] }],
    ['nothing in common', inMarkets('mktA'), { marketIds: ['mktB'] }, { marketIds: [] }],
    ['the same store', { store: { id: 'stoA' } }, { storeId: 'stoA' }, { storeId: 'stoA' }],
    ['another store', { store: { id: 'stoA' } }, { storeId: 'stoB' }, { marketIds: [], storeId: 'stoA' }],
  ])('is narrowed by %s', (_name, more, restriction, expected) => {
    expect(scopeOf(caller({}, more), restriction)).toEqual({
      organizationId: 'orgAAAAAAA',
      mode: 'test',
      ...expected,
    })
  })
})
