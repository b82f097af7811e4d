import { renderSetParameters } from './embedded-parameters.ts'

describe('values for the embedded engine', () => {
  it('sets each value as one quoted text', () => {
    expect(renderSetParameters({ a: 'x', b: 5, c: true, d: ['p', 'q'], e: [1, 2] })).toBe(
      String.raw`SET param_a = 'x', param_b = '5', param_c = 'true', param_d = '[\'p\',\'q\']', param_e = '[1,2]'`,
    )
  })

  it('keeps quotes, escapes and ends of lines inside the text', () => {
    expect(renderSetParameters({ a: "'; DROP TABLE orders --\\" })).toBe(
      String.raw`SET param_a = '\'; DROP TABLE orders --\\\\'`,
    )
    expect(renderSetParameters({ a: 'one\ntwo' })).toBe(String.raw`SET param_a = 'one\\ntwo'`)
  })

  it('says nothing when there is nothing to set', () => {
    expect(renderSetParameters({})).toBeUndefined()
  })

  it('refuses a name that is no plain word', () => {
    expect(() => renderSetParameters({ 'a = 1; b': 'x' })).toThrow('is not the name of a parameter')
  })
})
