import { faultsError, toNested } from './faults.ts'

describe('toNested', () => {
  it('lists messages of a first-level key', () => {
    expect(toNested([{ path: ['filter'], message: "can't be blank" }])).toEqual([
      { filter: ["can't be blank"] },
    ])
  })

  it('groups by section and by attribute in the order of appearance', () => {
    const faults = [
      { path: ['line_items', 'tax_rate'], message: 'a' },
      { path: ['order', 'number'], message: 'b' },
      { path: ['line_items', 'codes'], message: 'c' },
      { path: ['line_items', 'tax_rate'], message: 'd' },
    ]
    expect(toNested(faults)).toEqual([
      { line_items: [{ tax_rate: ['a', 'd'] }, { codes: ['c'] }] },
      { order: [{ number: ['b'] }] },
    ])
  })

  it('nests as deep as the path, messages before nested keys', () => {
    const faults = [
      { path: ['breakdown', 'breakdown', 'by'], message: 'inner' },
      { path: ['breakdown'], message: 'outer' },
    ]
    expect(toNested(faults)).toEqual([{ breakdown: ['outer', { breakdown: [{ by: ['inner'] }] }] }])
  })

  it('nests as many faults as a body can have without holding up others', () => {
    const faults = Array.from({ length: 50_000 }, (_, index) => ({
      path: ['order', `key${index}`],
      message: 'not valid',
    }))
    const startedAtMs = performance.now()
    const nested = toNested(faults)
    expect(performance.now() - startedAtMs).toBeLessThan(1_000)
    expect(nested).toMatchObject([{ order: { length: 50_000 } }])
  })

  it('puts the faults where the encoder finds them', () => {
    const error = faultsError('metrics_query_not_valid', [{ path: ['stats', 'field'], message: 'x' }])
    expect(error.meta).toEqual({ errors: [{ stats: [{ field: ['x'] }] }] })
  })
})
