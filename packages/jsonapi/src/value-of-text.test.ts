import { boolean, cents, float, integer, oneOf, text, trigger } from './attributes.ts'
import type { Attribute } from './attributes.ts'
import { valueOfText } from './value-of-text.ts'

const KINDS: Readonly<Record<string, Attribute>> = {
  integer: integer(),
  cents: cents(),
  float: float(),
  boolean: boolean(),
  text: text(),
  oneOf: oneOf(['1']),
  trigger: trigger(),
  'trigger with a number': trigger({ carries: 'integer' }),
  'trigger with a text': trigger({ carries: 'text' }),
}

const MEANT: readonly (readonly [kind: string, sent: string, value: unknown])[] = [
  ['integer', '1', 1],
  ['integer', '-3', -3],
  ['integer', '180.0', 180],
  ['integer', '1.5', 1.5],
  ['integer', '9007199254740993', Infinity],
  ['cents', '1000', 1000],
  ['float', '180.0', 180],
  ['float', '0', 0],
  ['float', '1e3', 1000],
  ['float', '-1e500', -Infinity],
  ['boolean', 'true', true],
  ['boolean', 'false', false],
  ['trigger', 'true', true],
  ['trigger', 'false', false],
  ['trigger with a number', '100', 100],
]

const NOT_MEANT: readonly (readonly [kind: string, sent: unknown])[] = [
  ...['', ' 1', '1 ', '+1', '01', '.5', '1.', '1,5', '1_000', '0x10', 'NaN', 'Infinity', 'one', 'true'].map(
    (sent) => ['integer', sent] as const,
  ),
  ...['', 'True', 'FALSE', '1', '0', 't', 'yes', ' true', 'null'].map((sent) => ['boolean', sent] as const),
  ...[1, true, null, ['1'], { a: '1' }].map((sent) => ['integer', sent] as const),
  ['text', '1'],
  ['oneOf', '1'],
  ['trigger', '1'],
  ['trigger with a text', 'true'],
]

describe('a text for another kind of value', () => {
  it.each(MEANT)('means one value of a %s: %p is %p', (kind, sent, value) => {
    expect(valueOfText(sent, KINDS[kind] as Attribute)).toBe(value)
  })

  it.each(NOT_MEANT)('is left alone for a %s: %p', (kind, sent) => {
    expect(valueOfText(sent, KINDS[kind] as Attribute)).toBe(sent)
  })
})
