import { Secret } from '@merx/config/secret'
import { createSignedValues } from './signed-values.ts'

const signed = createSignedValues(new Secret('a secret of some length'))
const VALUE = { id: 'x', name: 'Jörg' }

describe('a signed value', () => {
  it('is read back, by every process with the secret', () => {
    const again = createSignedValues(new Secret('a secret of some length'))
    expect(again.read('session', signed.sign('session', VALUE))).toEqual(VALUE)
  })

  it('fits a cookie as it is', () => {
    expect(signed.sign('session', VALUE)).toMatch(/^[\w-]+\.[\w-]{43}$/)
  })

  const text = signed.sign('session', VALUE)
  const [body = '', signature = ''] = text.split('.')
  it.each([
    ['', 'nothing'],
    ['.', 'only a dot'],
    [body, 'no signature'],
    [`${body}.`, 'an empty signature'],
    [`${body}.${signature}.x`, 'a third part'],
    [`${body}x.${signature}`, 'another body'],
    [`${body}.${signature.slice(1)}`, 'a shorter signature'],
    [signed.sign('known browser', VALUE), 'another purpose'],
    [createSignedValues(new Secret('another secret, as long')).sign('session', VALUE), 'another secret'],
    [`${'x'.repeat(3_000)}.${signature}`, 'too much'],
  ])('is refused: %#, %s', (wrong) => {
    expect(signed.read('session', wrong)).toBeUndefined()
  })
})
