import { predicates, predicatesFor, valueKindOf } from './predicates.ts'

/** The complete list of core-conventions.md 4.2. */
const SPECIFIED = `
  eq eq_or_null not_eq not_eq_or_null not_eq_all matches does_not_match matches_any matches_all does_not_match_any
  does_not_match_all lt lteq gt gteq lt_any lteq_any gt_any gteq_any lt_all lteq_all gt_all gteq_all present blank null
  not_null in not_in in_or_null not_in_or_null start not_start start_any start_all not_start_any not_start_all end
  not_end end_any end_all not_end_any not_end_all cont not_cont cont_any cont_all not_cont_all not_cont_any i_cont
  not_i_cont i_cont_any i_cont_all not_i_cont_any not_i_cont_all jcont true false`
  .trim()
  .split(/\s+/)

describe('predicates', () => {
  it('are exactly those of the conventions', () => {
    expect(predicates.map(({ name }) => name).sort()).toEqual([...SPECIFIED].sort())
  })

  it('are tried longest first', () => {
    const lengths = predicates.map(({ name }) => name.length)
    expect(lengths).toEqual([...lengths].sort((a, b) => b - a))
  })

  it.each(predicates)('$name takes lists only when its name says so', ({ name, takes }) => {
    const isList = /_(any|all|in|in_or_null)$|^(in|in_or_null|not_in|not_in_or_null)$/.test(name)
    expect(takes === 'list').toBe(isList)
  })

  it.each(predicates.filter(({ meaning }) => meaning.kind === 'like'))(
    '$name is for text only',
    ({ kinds }) => {
      expect(kinds).toEqual(['text'])
    },
  )

  it('offers order on numbers and instants but not on booleans', () => {
    expect(predicatesFor('integer')).toContain('gteq')
    expect(predicatesFor('instant')).toContain('lt_any')
    expect(predicatesFor('boolean')).not.toContain('gt')
  })

  it('offers containment and presence on objects, nothing else', () => {
    expect(predicatesFor('object')).toEqual(['blank', 'jcont', 'not_null', 'null', 'present'])
  })

  it.each([
    ['oneOf', 'text'],
    ['cents', 'integer'],
    ['computed', undefined],
    ['loaded', undefined],
    ['trigger', undefined],
  ] as const)('reads values of a %s attribute as %s', (kind, expected) => {
    expect(valueKindOf(kind)).toBe(expected)
  })
})
