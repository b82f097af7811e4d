import { blockForm, lineForm, NotNative, toDecimal } from './forms.ts'

describe('toDecimal', () => {
  it.each([
    [1234, 2, '12.34'],
    [5, 2, '0.05'],
    [-5, 2, '-0.05'],
    [0, 2, '0.00'],
    [1234, 0, '1234'],
    [-1234, 0, '-1234'],
    [-5, 3, '-0.005'],
    [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91'],
  ])('%d with %d digits is %s', (cents, digits, text) => {
    expect(toDecimal(cents, digits)).toBe(text)
  })
})

describe('in lines', () => {
  it('amounts, rates and instants are text', () => {
    const form = lineForm(2)
    expect(form.money(1234)).toBe('12.34')
    expect(form.rate('0.22')).toBe('0.22')
    expect(form.instant('2022-06-27T06:01:32.361Z')).toBe('2022-06-27 06:01:32.361')
    expect(form.instantOrNull(null)).toBeNull()
  })
})

describe('in blocks', () => {
  it.each([
    [1234, 2, 123_400],
    [-5, 3, -50],
    [1234, 0, 12_340_000],
    [-1, 4, -1],
  ])('%d with %d digits is %d ten-thousandths', (cents, digits, units) => {
    expect(blockForm(digits).money(cents)).toBe(units)
  })

  it.each([
    ['0', 0],
    ['1', 100_000_000],
    ['0.22', 22_000_000],
    ['0.0725', 7_250_000],
    ['0.29', 29_000_000],
    ['0.99999999', 99_999_999],
    ['0.00000001', 1],
  ])('the rate %s is %d hundred-millionths', (rate, units) => {
    expect(blockForm(2).rate(rate)).toBe(units)
  })

  it.each([
    ['2022-06-27T06:01:32.361Z', 1_656_309_692_361],
    ['1960-02-29T00:00:00.001Z', -310_521_599_999],
  ])('%s is %d milliseconds', (instant, ms) => {
    expect(blockForm(2).instant(instant)).toBe(ms)
    expect(blockForm(2).instantOrNull(instant)).toBe(ms)
    expect(blockForm(2).instantOrNull(null)).toBeNull()
  })

  it.each([
    '2022-02-30T00:00:00.000Z',
    '2022-13-01T00:00:00.000Z',
    '2022-01-01T24:00:00.000Z',
    '1850-01-01T00:00:00.000Z',
    '2299-01-01T00:00:00.000Z',
  ])('%s has no place', (instant) => {
    expect(() => blockForm(2).instant(instant)).toThrow(NotNative)
  })

  it('no currency has five digits', () => {
    expect(() => blockForm(5)).toThrow('a currency with 5 digits has no form in blocks')
  })
})
