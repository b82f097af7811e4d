import { amountCentsMaxOf, formatMoney, minorDigitsOf, toUnits } from './money.ts'

describe('formatMoney', () => {
  it.each([
    [5000, 'EUR', '€50,00'],
    [-500, 'EUR', '-€5,00'],
    [1000, 'EUR', '€10,00'],
    [0, 'EUR', '€0,00'],
    [7, 'EUR', '€0,07'],
    [-7, 'EUR', '-€0,07'],
    [123456789, 'EUR', '€1.234.567,89'],
    [123456, 'USD', '$1,234.56'],
    [99, 'GBP', '£0.99'],
    [1200, 'JPY', '¥1,200'],
    [-1200, 'JPY', '-¥1,200'],
    [5, 'JPY', '¥5'],
    [12990, 'HUF', 'Ft 12.990'],
    [950, 'CHF', 'CHF 9.50'],
    [100000, 'BRL', 'R$1.000,00'],
    [1234567, 'KWD', 'KWD 1,234.567'],
    [Number.MAX_SAFE_INTEGER, 'USD', '$90,071,992,547,409.91'],
  ])('%d of %s is %s', (amount, currency, text) => {
    expect(formatMoney(amount, currency)).toBe(text)
  })

  it.each([
    ['EUR', 'it'],
    ['USD', 'en-US'],
    ['GBP', 'en-GB'],
    ['BRL', 'pt-BR'],
    ['DKK', 'da'],
    ['TRY', 'tr'],
    ['IDR', 'id'],
    ['CZK', 'cs'],
    ['MXN', 'es-MX'],
    ['INR', 'en-IN'],
    ['CNY', 'zh'],
    ['RUB', 'ru'],
  ])('%s has the decimal separator of %s', (currency, locale) => {
    const decimal = new Intl.NumberFormat(locale)
      .formatToParts(1.5)
      .find(({ type }) => type === 'decimal')?.value
    expect(formatMoney(150, currency)).toContain(`${decimal}50`)
  })
})

describe('toUnits', () => {
  it.each([
    [1050, 'EUR', 10.5],
    [-1, 'USD', -0.01],
    [1050, 'JPY', 1050],
    [1050, 'HUF', 1050],
    [1050, 'BHD', 1.05],
  ])('%d of %s is %d', (amount, currency, units) => {
    expect(toUnits(amount, currency)).toBe(units)
  })
})

describe('amountCentsMaxOf', () => {
  it.each([
    ['EUR', Number.MAX_SAFE_INTEGER],
    ['KWD', Number.MAX_SAFE_INTEGER],
    ['JPY', 99_999_999_999_999],
    ['HUF', 99_999_999_999_999],
  ])('%s has %d: exact in JSON, and less than 10^14 units', (currency, max) => {
    expect(amountCentsMaxOf(currency)).toBe(max)
    expect(toUnits(max, currency)).toBeLessThan(1e14)
  })
})

describe('minorDigitsOf', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['HUF', 0],
    ['KRW', 0],
    ['TND', 3],
  ])('%s has %d', (currency, digits) => {
    expect(minorDigitsOf(currency)).toBe(digits)
  })
})
