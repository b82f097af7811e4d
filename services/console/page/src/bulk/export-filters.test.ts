import { exportTypes, filtersOf } from './bulk-types.ts'
import { isComplete, newFilter, predicatesOf, toFilters } from './export-filters.ts'

describe('the filters of an export', () => {
  it('are those of core, with values that need none as true', () => {
    expect(
      toFilters('skus', [
        { name: 'code', predicate: 'start', value: 'SHIRT' },
        { name: 'created_at', predicate: 'gteq', value: '2026-01-31' },
        { name: 'do_not_ship', predicate: 'true', value: '' },
        { name: 'reference', predicate: 'null', value: 'x' },
      ]),
    ).toEqual({
      code_start: 'SHIRT',
      created_at_gteq: '2026-01-31T00:00:00Z',
      do_not_ship_true: 'true',
      reference_null: 'true',
    })
  })

  it('begin with one that every type has, and need a value', () => {
    for (const type of exportTypes) {
      const filter = newFilter(type)
      expect(filtersOf(type)).toHaveProperty(filter.name)
      expect(predicatesOf(type, filter.name)).toContain(filter.predicate)
      expect(isComplete({ ...filter, predicate: 'eq' })).toBe(false)
    }
    expect(isComplete({ name: 'reference', predicate: 'null', value: '' })).toBe(true)
    expect(isComplete({ name: 'code', predicate: 'eq', value: ' a' })).toBe(true)
  })
})
