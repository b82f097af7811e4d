import { violationsError, toNested } from './violations.ts'

describe('toNested', () => {
  it('lists messages of a first-level key', () => {
    expect(toNested([{ path: ['filter'], message: "can't be blank" }])).toEqual([
      { filter: ["can't be blank"] },
    ])
  })

  it('groups by section and by attribute in the order of appearance', () => {
    const violations = [
      { path: ['line_items', 'tax_rate'], message: 'a' },
      { path: ['order', 'number'], message: 'b' },
      { path: ['line_items', 'codes'], message: 'c' },
      { path: ['line_items', 'tax_rate'], message: 'd' },
    ]
    expect(toNested(violations)).toEqual([
      { line_items: [{ tax_rate: ['a', 'd'] }, { codes: ['c'] }] },
      { order: [{ number: ['b'] }] },
    ])
  })

  it('nests as deep as the path, messages before nested keys', () => {
    const violations = [
      { path: ['breakdown', 'breakdown', 'by'], message: 'inner' },
      { path: ['breakdown'], message: 'outer' },
    ]
    expect(toNested(violations)).toEqual([{ breakdown: ['outer', { breakdown: [{ by: ['inner'] }] }] }])
  })

  it('nests as many violations as a body can have, reading each once', () => {
    let reads = 0
    const violations = Array.from({ length: 50_000 }, (_, index) => ({
      message: 'not valid',
      get path() {
        reads += 1
        return ['order', `key${index}`]
      },
    }))
    expect(toNested(violations)).toMatchObject([{ order: { length: 50_000 } }])
    expect(reads).toBeLessThanOrEqual(2 * violations.length)
  })

  it('puts the violations where the encoder finds them', () => {
    const error = violationsError('metrics_query_not_valid', [{ path: ['stats', 'field'], message: 'x' }])
    expect(error.meta).toEqual({ errors: [{ stats: [{ field: ['x'] }] }] })
  })
})
