import { AppErrors } from '@merx/errors/app-error'
import { normalizeName } from '@merx/validation/normalize'
import {
  emailViolation,
  nameViolation,
  passwordViolation,
  personNameViolation,
  regionViolation,
  requireNoViolations,
  slugViolation,
  timeZoneViolation,
} from './input-rules.ts'

describe('provisioning input', () => {
  it.each([
    [
      slugViolation,
      ['a', 'my-shop', 'auth-shop', 'a'.repeat(63)],
      ['', 'My', '-a', 'a-', 'a b', 'a'.repeat(64), 'ä', 'auth', 'www', 'metrics'],
    ],
    [nameViolation, ['Shop', 'x'.repeat(120)], ['', '  ', 'x'.repeat(121), 'a\0']],
    [
      emailViolation,
      ['a@b', 'me@example.com'],
      [
        '',
        'a',
        'a@',
        '@b',
        'a b@c',
        'a@b@c',
        `${'a'.repeat(250)}@b.io`,
        `${'İ'.repeat(200)}@b.io`,
        'a\u007f@b',
        'a\u0085@b',
        'a\u202eb@c',
        'a@\u2066b',
        'a\u200b@b',
      ],
    ],
    [personNameViolation, ['', 'Ann', 'x'.repeat(120)], ['x'.repeat(121), 'a\0', ' ']],
    [regionViolation, ['eu-west-1', 'a'], ['', 'EU', '-a', 'a_b', 'a'.repeat(64)]],
    [
      timeZoneViolation,
      ['UTC', 'Europe/Rome', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'],
      ['', 'Mars/Base', '+02:00', 'Europe/Rome ', 'x'.repeat(65)],
    ],
    [passwordViolation, ['12345678', 'x'.repeat(1_024)], ['', '1234567', 'x'.repeat(1_025)]],
  ])('%p accepts the good and refuses the bad', (violationOf, good, bad) => {
    for (const text of good) expect(violationOf(text)).toBeUndefined()
    for (const text of bad) expect(violationOf(text)).toMatch(/^must /)
  })

  it('names which slugs are reserved', () => {
    expect(slugViolation('auth')).toMatch(/^must be none of admin, api, auth, core, .*, www$/)
  })

  it.each([
    [' Admin ', 'Admin'],
    ['Order  desk\u00a0eu', 'Order desk eu'],
    ['Cafe\u0301', 'Caf\u00e9'],
    ['  ', ''],
  ])('takes %j for the name %j', (sent, name) => {
    expect(normalizeName(sent)).toBe(name)
  })

  it('reports every faulty field at once, with its pointer', () => {
    const act = () => requireNoViolations({ name: 'must be short', slug: undefined, role: 'must be a role' })
    expect(act).toThrow(AppErrors)
    try {
      act()
    } catch (error) {
      expect(
        (error as AppErrors).errors.map(({ code, title, source }) => [code, title, source?.pointer]),
      ).toEqual([
        ['validation_error', 'must be short', '/data/attributes/name'],
        ['validation_error', 'must be a role', '/data/relationships/role'],
      ])
    }
  })
})
