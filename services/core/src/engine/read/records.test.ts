import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../areas.ts'
import { createRegistry } from '../registry.ts'
import { createRecords } from './records.ts'

const registry = createRegistry(areas, { ids: testIds })
const skus = registry.require('skus')

describe('createRecords', () => {
  it('refuses a row of another environment, whatever statement gave it', () => {
    expect(() => createRecords(registry, 1).of(skus, { id: 5, environment_id: 2 })).toThrow(
      'another environment',
    )
    expect(() => createRecords(registry, 1).of(skus, { id: 5 })).toThrow('another environment')
  })

  it('refuses a row that the caller’s permission does not cover, whatever statement gave it', () => {
    const row = { id: 5, environment_id: 1 }
    expect(() => createRecords(registry, 1).of(skus, { ...row, _covered: false })).toThrow('is not covered')
    expect(createRecords(registry, 1).of(skus, { ...row, _covered: true }).number).toBe(5)
  })

  it('gives records the fields that the caller may read, and no others', () => {
    const restrictions = { skus: { fields: { read: ['code', 'prices'] } } }
    const { definition } = createRecords(registry, 1, restrictions).of(skus, { id: 5, environment_id: 1 })
    expect([Object.keys(definition.attributes), Object.keys(definition.relationships)]).toEqual([
      ['code'],
      ['prices'],
    ])
  })

  it('gives one record for one row', () => {
    const records = createRecords(registry, 1)
    expect(records.of(skus, { id: 5, environment_id: 1 })).toBe(
      records.of(skus, { id: 5, environment_id: 1 }),
    )
  })

  it('gives rows of an abstract type their concrete definition, and the id that both share', () => {
    const gateways = registry.require('payment_gateways')
    const records = createRecords(registry, 1)
    const row = { id: 5, environment_id: 1, type: 'manual_gateways' }
    const record = records.of(gateways, row)
    expect(record.definition.type).toBe('manual_gateways')
    expect(records.of(registry.require('manual_gateways'), row)).toBe(record)
  })

  it('refuses a row of an abstract type that does not say what it is', () => {
    const gateways = registry.require('payment_gateways')
    expect(() => createRecords(registry, 1).of(gateways, { id: 5, environment_id: 1 })).toThrow('has no type')
  })

  it('refuses a row without a number', () => {
    expect(() => createRecords(registry, 1).of(skus, { environment_id: 1 })).toThrow('has no number')
  })
})
