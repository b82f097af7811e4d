import { parseAmount, parseQuantity, toAmountText } from './number-text.ts'

describe('an amount that is typed', () => {
  it.each([
    ['12.50', 'EUR', 1250],
    ['12,5', 'EUR', 1250],
    [' 12 ', 'EUR', 1200],
    ['12.', 'EUR', 1200],
    ['0', 'EUR', 0],
    ['-1', 'EUR', -100],
    ['1.234', 'KWD', 1234],
    ['4540', 'JPY', 4540],
    ['١٢٫٥٠', 'EUR', 1250],
    ['۱۲', 'EUR', 1200],
    ['9007199254740.99', 'EUR', 900_719_925_474_099],
  ])('%s %s is %i', (text, currency, value) => {
    expect(parseAmount(text, currency)).toEqual({ value })
  })

  it.each([
    ['', 'EUR', 'must be an amount, such as 12.50'],
    ['twelve', 'EUR', 'must be an amount, such as 12.50'],
    ['1.234,50', 'EUR', 'must be an amount, such as 12.50'],
    ['1e3', 'EUR', 'must be an amount, such as 12.50'],
    ['99999999999999999', 'EUR', 'must be an amount, such as 12.50'],
    ['999999999999999', 'EUR', 'must be an amount, such as 12.50'],
    ['1.234', 'EUR', 'EUR has 2 decimals'],
    ['1.5', 'JPY', 'JPY has no decimals'],
  ])('%s %s is refused', (text, currency, problem) => {
    expect(parseAmount(text, currency)).toEqual({ problem })
  })

  it('is what it was, when nobody changes it', () => {
    for (const [cents, currency] of [
      ...([
        [1250, 'EUR'],
        [5, 'EUR'],
        [4540, 'JPY'],
        [1234, 'KWD'],
        [0, 'USD'],
      ] as const),
    ])
      expect(parseAmount(toAmountText(cents, currency), currency)).toEqual({ value: cents })
  })
})

describe('a quantity that is typed', () => {
  it('is a whole number', () => {
    expect(parseQuantity(' 12 ')).toEqual({ value: 12 })
    expect(parseQuantity('-3')).toEqual({ value: -3 })
    expect(parseQuantity('٣')).toEqual({ value: 3 })
    for (const text of ['', '1.5', '1e3', 'ten', '12345678901234567'])
      expect(parseQuantity(text)).toEqual({ problem: 'must be a whole number' })
  })
})
