import fc from 'fast-check'
import { isCardNumber } from './no-card-numbers.ts'

test.each([
  '4242424242424242',
  '4242 4242 4242 4242',
  '3782-822463-10005',
  '6011000990139424',
  '4242.4242.4242.4242',
  '4242\u00a04242\u20094242\u20114242',
  '\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12\uff14\uff12',
  '\t4242424242424242\n',
])('knows %j as the number of a card', (text) => {
  expect(isCardNumber(text)).toBe(true)
})

test.each(['4242424242424241', 'tok_4242424242424242', '42424242424', 'pm_1MqLiJLkdIwHu7ix', ''])(
  'takes %p as a token',
  (text) => {
    expect(isCardNumber(text)).toBe(false)
  },
)

test('one digit that is wrong makes no card number', () => {
  fc.assert(
    fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (at, added) => {
      const digits = [...'4242424242424242']
      digits[at] = String((Number(digits[at]) + added) % 10)
      expect(isCardNumber(digits.join(''))).toBe(false)
    }),
  )
})
