import { DEPTH_MAX, findContentViolation } from './body-content.ts'

const nested = (levels: number): unknown =>
  JSON.parse('[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2))

describe('findContentViolation', () => {
  it.each([
    ['texts, numbers, lists and objects', { a: ['x', 1, null, true, { 'b/c': '' }] }],
    ['nothing', undefined],
    ['a prototype key as a value', { a: '__proto__', constructor: 'x' }],
    ['the deepest allowed', nested(DEPTH_MAX)],
  ])('takes %s', (_name, value) => {
    expect(findContentViolation(value)).toBeUndefined()
  })

  it.each([
    ['NUL in a text', 'a\0', ''],
    ['NUL in a nested text', { 'a/b': [{ 'c~d': '\0' }] }, '/a~1b/0/c~0d'],
    ['NUL in a key', { a: { 'b\0': 1 } }, '/a'],
    ['a key that reaches the prototype', JSON.parse('{"a":[{"__proto__":1}]}'), '/a/0'],
  ])('finds %s and says where', (_name, value, pointer) => {
    expect(findContentViolation(value)).toMatchObject({ pointer })
  })

  it('finds one level too many', () => {
    expect(findContentViolation([nested(DEPTH_MAX)])).toMatchObject({
      message: 'is nested deeper than 32 levels',
    })
  })

  it('does not run out of stack on absurd depth', () => {
    const depth = 200_000
    const value: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth))
    expect(findContentViolation(value)).toMatchObject({ message: 'is nested deeper than 32 levels' })
  })
})
