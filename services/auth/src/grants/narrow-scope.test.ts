import { narrowScope } from './narrow-scope.ts'

describe('the scope of a refresh', () => {
  it.each([undefined, '', ' '])('is the original one when %j is asked for', (requested) => {
    expect(narrowScope('market:id:a', requested)).toBe('market:id:a')
  })

  it.each([
    ['market:id:a', 'market:id:a'],
    ['market:id:a market:id:b', 'market:id:b'],
    ['market:id:a market:id:b', 'market:id:b,market:id:a'],
    ['market:all', 'market:all'],
    ['market:all', 'market:id:a stock_location:id:s'],
    ['market:id:a stock_location:id:s', 'market:id:a stock_location:id:s'],
    ['market:id:a market:id:b stock_location:id:s', 'market:id:a stock_location:id:s'],
    ['store:id:s', 'store:id:s'],
  ])('of %j may be %j', (original, requested) => {
    expect(narrowScope(original, requested)).toBe(requested)
  })

  it.each([
    ['market:id:a', 'market:id:b'],
    ['market:id:a', 'market:id:a market:id:b'],
    ['market:id:a', 'market:all'],
    ['market:id:a stock_location:id:s', 'market:id:a'],
    ['store:id:s', 'market:id:a'],
    ['market:id:a store:id:s', 'market:id:a'],
    ['market:id:a store:id:s', 'store:id:s'],
    ['store:id:s', 'market:all'],
  ])('of %j is never %j', (original, requested) => {
    expect(() => narrowScope(original, requested)).toThrow(
      `'${requested}' is wider than the one granted first; allowed: '${original}'`,
    )
  })

  it('must be well formed', () => {
    expect(() => narrowScope('market:id:a', 'nonsense')).toThrow("'nonsense' is malformed")
  })
})
