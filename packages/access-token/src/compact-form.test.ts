import { isCompactForm } from './compact-form.ts'

const part = (text: string): string => Buffer.from(text).toString('base64url')
const token = [part('{"alg":"RS512"}'), part('{"a":1}'), part('??>>signature')].join('.')

describe('the compact form', () => {
  it('is three parts of base64url', () => {
    expect(isCompactForm(token)).toBe(true)
  })

  it.each([
    ['padding', `${token}=`],
    ['padding inside', token.replace('.', '=.')],
    ['the digits of plain base64', token.replaceAll('_', '/').replaceAll('-', '+')],
    ['unused bits that are not zero', `${token.slice(0, -1)}${token.endsWith('Q') ? 'R' : 'h'}`],
    ['two parts', token.split('.').slice(0, 2).join('.')],
    ['four parts', `${token}.e30`],
    ['an empty part', token.replace(/\..*\./, '..')],
    ['white space', `${token}\n`],
    ['nothing', ''],
  ])('is not text with %s', (_what, text) => {
    expect(text).not.toBe(token)
    expect(isCompactForm(text)).toBe(false)
  })
})
