import { toPattern } from '@merx/jsonapi/filter-values'
import { literalStart } from './code-start.ts'

describe('the literal start of a pattern', () => {
  it.each(['SKU', 'a_b', '100%', 'back\\slash', '\\%_', 'ü–', '😀'])('gives %p back', (start) => {
    expect(literalStart(toPattern(start, 'start'))).toBe(start)
  })

  it.each(['%', '', 'SKU', 'S%U%', 'S_U%', '%SKU%', '_%', 'SKU\\%', 'SKU%%'])(
    'is none for the pattern %p, which asks for something else',
    (pattern) => {
      expect(literalStart(pattern)).toBeUndefined()
    },
  )

  it('is none when it is longer than any code', () => {
    expect(literalStart(`${'x'.repeat(255)}%`)).toHaveLength(255)
    expect(literalStart(`${'x'.repeat(256)}%`)).toBeUndefined()
  })
})
