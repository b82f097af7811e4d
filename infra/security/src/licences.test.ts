import type { LicensedPackage } from './licences.ts'
import { refuseLicences } from './licences.ts'

const of = (licence: string | undefined, changes: Partial<LicensedPackage> = {}): LicensedPackage => ({
  name: 'some',
  version: '1.0.0',
  integrity: 'sha512-AAAA',
  isOfPlatform: false,
  isProduction: true,
  licence,
  ...changes,
})

describe('licences', () => {
  it.each(['MIT', 'Apache-2.0 AND MIT', '(MIT OR GPL-3.0-only)', 'ISC'])(
    '%s may be in an image',
    (licence) => {
      expect(refuseLicences([of(licence)])).toEqual([])
    },
  )

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-only',
    'MIT AND GPL-2.0-only',
    'EPL-2.0',
    'UNLICENSED',
    'SEE LICENSE IN X',
    '',
  ])('%j may not', (licence) => {
    expect(refuseLicences([of(licence)])).toEqual([
      expect.stringMatching(/^some@1\.0\.0 is under ".*"; allowed: 0BSD, Apache-2\.0/),
    ])
  })

  it('a tool may be under more, but not under a strong copyleft', () => {
    expect(refuseLicences([of('EPL-2.0', { isProduction: false })])).toEqual([])
    expect(refuseLicences([of('GPL-3.0-only', { isProduction: false })])).toHaveLength(1)
  })

  it('what is not installed is unknown, unless it belongs to another platform', () => {
    expect(refuseLicences([of(undefined)])).toEqual([
      'some@1.0.0 is not installed, so its licence is unknown',
    ])
    expect(refuseLicences([of(undefined, { isOfPlatform: true })])).toEqual([])
  })
})
