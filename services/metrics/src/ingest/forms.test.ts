import { toDecimal, toInstant } from './forms.ts'

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

it('writes an instant as the engine reads it', () => {
  expect(toInstant('2022-06-27T06:01:32.361Z')).toBe('2022-06-27 06:01:32.361')
})
