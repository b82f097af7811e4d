import type { Credential, CredentialKind } from './credential.ts'
import {
  isCustomLifetimeAllowed,
  lifetimeSecondsOf,
  REFRESH_TOKEN_LIFETIME_SECONDS,
  REISSUE_BEFORE_EXPIRY_SECONDS,
} from './lifetimes.ts'

const credential = (kind: CredentialKind, customLifetimeSeconds?: number) =>
  ({ kind, ...(customLifetimeSeconds === undefined ? {} : { customLifetimeSeconds }) }) as Credential

describe('access token lifetime', () => {
  it.each([
    ['sales_channel', 14_400],
    ['integration', 7_200],
    ['webapp', 7_200],
  ] as const)('of a %s is %i seconds by default', (kind, seconds) => {
    expect(lifetimeSecondsOf(credential(kind))).toBe(seconds)
  })

  it('is the custom one when set', () => {
    expect(lifetimeSecondsOf(credential('integration', 1_296_000))).toBe(1_296_000)
  })

  it.each([
    [7_199, false],
    [7_200, true],
    [1_296_000, true],
    [1_296_001, false],
    [7_200.5, false],
    [NaN, false],
  ])('of %d seconds may be set: %s', (seconds, isAllowed) => {
    expect(isCustomLifetimeAllowed(seconds)).toBe(isAllowed)
  })
})

test('a refresh token lives two weeks, and an access token is renewed a quarter of an hour before its end', () => {
  expect([REFRESH_TOKEN_LIFETIME_SECONDS, REISSUE_BEFORE_EXPIRY_SECONDS]).toEqual([1_209_600, 900])
})
