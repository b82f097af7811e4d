import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../areas.ts'
import { createRegistry } from '../../engine/registry.ts'
import { createSecretBox } from '../../engine/secret-box.ts'
import { findImportable } from './importable.ts'
import { openSecrets, sealSecrets, secretNamesOf, upToSecrets, withoutSecrets } from './sealed-values.ts'

const registry = createRegistry(areas, { ids: testIds })
const secretsOf = (type: string) => {
  const importable = findImportable(type)
  if (importable === undefined) throw new Error(`${type} cannot be imported`)
  return secretNamesOf(registry.require(type), importable, registry)
}

describe('secrets of an import', () => {
  it('are the attributes that are never shown', () => {
    expect([...secretsOf('customers').own.secret]).toEqual(['password'])
    expect([...secretsOf('orders').own.secret]).toEqual(['customer_password'])
    expect([...secretsOf('skus').own.secret]).toEqual([])
  })

  it.each([
    ['a text', 'secret-1'],
    ['no value', null],
    ['a number', 123456],
    ['a list', ['a', { b: 1 }]],
  ])('are opened as they were sent: %s', (_kind, password) => {
    const secrets = secretsOf('customers')
    const box = createSecretBox('a secret of thirty-two characters')
    const items = [{ email: 'a@example.com', password }]
    const sealed = sealSecrets(items, secrets, box)
    expect(JSON.stringify(sealed)).not.toContain(JSON.stringify(password).slice(1, 5))
    expect(sealed[0]?.['email']).toBe('a@example.com')
    expect(openSecrets(sealed, secrets, box)).toEqual(items)
  })

  it('are sealed differently each time, and opened with their key only', () => {
    const secrets = secretsOf('customers')
    const items = [{ password: 'secret-1' }]
    const box = createSecretBox('one key')
    const sealed = sealSecrets(items, secrets, box)
    expect(sealSecrets(items, secrets, box)).not.toEqual(sealed)
    expect(() => openSecrets(sealed, secrets, createSecretBox('another key'))).toThrow()
    expect(() => openSecrets(items, secrets, box)).toThrow()
  })

  it('are not looked for in attributes, such as metadata', () => {
    const items = [{ email: 'a@example.com', has_password: true, metadata: { password_hint: 'the dog' } }]
    const secrets = secretsOf('customers')
    expect(sealSecrets(items, secrets, createSecretBox('one key'))).toEqual(items)
    expect(withoutSecrets(items, secrets)).toEqual(items)
  })

  it('are in so many items of a step, and in no more', () => {
    const secrets = secretsOf('customers')
    const items = ['a', 'b', undefined, 'c'].map((password) => ({
      email: 'x',
      ...(password && { password }),
    }))
    expect(upToSecrets(items, secrets, 1)).toEqual(items.slice(0, 1))
    expect(upToSecrets(items, secrets, 2)).toEqual(items.slice(0, 3))
    expect(upToSecrets(items, secrets, 3)).toEqual(items)
    expect(upToSecrets(items, secretsOf('skus'), 1)).toEqual(items)
  })

  it('are left out of the file', () => {
    const items = [{ email: 'a@example.com', password: 'x' }, { email: 'b@example.com' }]
    expect(withoutSecrets(items, secretsOf('customers'))).toEqual([
      { email: 'a@example.com' },
      { email: 'b@example.com' },
    ])
  })
})
