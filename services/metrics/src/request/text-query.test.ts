import { parseTextQuery, type TextExpression } from './text-query.ts'

const text = (value: string) => ({ kind: 'text', text: value })
const any = { kind: 'any' }
const term = (...pieces: readonly object[]) => ({ kind: 'term', pieces })

const parsed = (source: string): TextExpression => {
  const result = parseTextQuery(source)
  if (!result.ok) throw new Error(result.message)
  return result.expression
}

describe('parseTextQuery', () => {
  it.each([
    ['smith', term(text('smith'))],
    ['Smith', term(text('Smith'))],
    ['İstanbul', term(text('İstanbul'))],
    ['*smith*', term(any, text('smith'), any)],
    ['**smith', term(any, text('smith'))],
    ['"new york"', term(text('new york'))],
    ['*"john@example.com"*', term(any, text('john@example.com'), any)],
    ['a"b c"d', term(text('ab cd'))],
    ['"a+b|c(d)"', term(text('a+b|c(d)'))],
  ])('reads the term %s', (source, expression) => {
    expect(parsed(source)).toEqual(expression)
  })

  it.each([
    ['a b', 'and'],
    ['a + b', 'and'],
    ['a+b', 'and'],
    ['a AND b', 'and'],
    ['a | b', 'or'],
    ['a|b', 'or'],
    ['a OR b', 'or'],
  ])('combines %s with %s', (source, kind) => {
    expect(parsed(source)).toEqual({ kind, items: [term(text('a')), term(text('b'))] })
  })

  it('binds + closer than |, and parentheses closest', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((value) => term(text(value)))
    expect(parsed('a | b + c')).toEqual({ kind: 'or', items: [a, { kind: 'and', items: [b, c] }] })
    expect(parsed('(a | b) + c')).toEqual({ kind: 'and', items: [{ kind: 'or', items: [a, b] }, c] })
    expect(parsed('(a | b) c')).toEqual(parsed('(a | b) + c'))
  })

  it('takes lower-case words named like operators as words', () => {
    expect(parsed('or')).toEqual(term(text('or')))
  })

  it.each([
    ['', "can't be blank"],
    ['   ', "can't be blank"],
    ['"abc', 'not valid, a quote is not closed'],
    ['""', 'not valid, quotes must hold some text'],
    ['(a', 'not valid, a parenthesis is not closed'],
    ['a)', 'not valid, a parenthesis is closed that was not opened'],
    ['a |', 'not valid, a word is missing near "the end"'],
    ['| a', 'not valid, a word is missing near "|"'],
    ['()', 'not valid, a word is missing near ")"'],
    ['a + + b', 'not valid, a word is missing near "+"'],
    ['x'.repeat(257), 'must have at most 256 characters'],
    ['('.repeat(33), 'must have at most 32 words and operators'],
  ])('explains what is wrong with %j', (source, message) => {
    expect(parseTextQuery(source)).toEqual({ ok: false, message })
  })
})
