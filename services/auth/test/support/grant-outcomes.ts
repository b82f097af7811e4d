/**
 * What the token endpoint answers, grant by credential kind: test/http/grant-outcomes.test.ts asks each of these, and
 * gen/oauth-outcomes.ts shows them.
 */
import type { CredentialKind } from '../../src/clients/credential.ts'
import type { GrantName } from '../../src/grants/grant-names.ts'

/** `token`, with a refresh token or without, or the error of RFC 6749. */
export type Outcome =
  | 'token'
  | 'token and refresh token'
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_assertion'
  | 'invalid_scope'
  | 'unauthorized_client'

/** What is wrong with the request, everything else being right. */
export const ASKED = [
  'everything right',
  'without the secret',
  'a wrong secret',
  'an unknown client',
  'a disabled client',
  'another environment’s or client’s',
  'without what the grant needs',
  'a wrong password, code, refresh token or assertion',
  'a scope nobody may have',
] as const

export type Asked = (typeof ASKED)[number]

type Row = Readonly<Record<CredentialKind, Outcome>>

const same = (outcome: Outcome): Row => ({ sales_channel: outcome, integration: outcome, webapp: outcome })

const NOT_ITS_GRANT = 'unauthorized_client'

/** Before the grant is looked at: who asks. */
const ofClient = (publicOne: Outcome): Partial<Record<Asked, Row>> => ({
  'without the secret': { ...same('invalid_client'), sales_channel: publicOne },
  'a wrong secret': same('invalid_client'),
  'an unknown client': same('invalid_client'),
  'a disabled client': same('invalid_client'),
})

/** Cells that are absent cannot be asked. */
export const OUTCOMES: Readonly<Record<GrantName, Partial<Record<Asked, Row>>>> = {
  client_credentials: {
    'everything right': { sales_channel: 'token', integration: 'token', webapp: NOT_ITS_GRANT },
    ...ofClient('token'),
    'without what the grant needs': {
      sales_channel: 'invalid_scope',
      integration: 'token',
      webapp: NOT_ITS_GRANT,
    },
    'a scope nobody may have': { ...same('invalid_scope'), webapp: NOT_ITS_GRANT },
  },
  password: {
    'everything right': { ...same(NOT_ITS_GRANT), sales_channel: 'token and refresh token' },
    ...ofClient('token and refresh token'),
    'without what the grant needs': { ...same(NOT_ITS_GRANT), sales_channel: 'invalid_request' },
    'a wrong password, code, refresh token or assertion': {
      ...same(NOT_ITS_GRANT),
      sales_channel: 'invalid_grant',
    },
    'a scope nobody may have': { ...same(NOT_ITS_GRANT), sales_channel: 'invalid_scope' },
  },
  authorization_code: {
    'everything right': { ...same(NOT_ITS_GRANT), webapp: 'token and refresh token' },
    ...ofClient('invalid_client'),
    'another environment’s or client’s': { ...same(NOT_ITS_GRANT), webapp: 'invalid_grant' },
    'without what the grant needs': { ...same(NOT_ITS_GRANT), webapp: 'invalid_request' },
    'a wrong password, code, refresh token or assertion': { ...same(NOT_ITS_GRANT), webapp: 'invalid_grant' },
  },
  refresh_token: {
    'everything right': { ...same('token and refresh token'), integration: NOT_ITS_GRANT },
    ...ofClient('token and refresh token'),
    'another environment’s or client’s': { ...same('invalid_grant'), integration: NOT_ITS_GRANT },
    'without what the grant needs': { ...same('invalid_request'), integration: NOT_ITS_GRANT },
    'a wrong password, code, refresh token or assertion': {
      ...same('invalid_grant'),
      integration: NOT_ITS_GRANT,
    },
    'a scope nobody may have': { ...same('invalid_scope'), integration: NOT_ITS_GRANT },
  },
  'urn:ietf:params:oauth:grant-type:jwt-bearer': {
    'everything right': { ...same('token and refresh token'), integration: NOT_ITS_GRANT },
    ...ofClient('invalid_client'),
    'another environment’s or client’s': { ...same('invalid_assertion'), integration: NOT_ITS_GRANT },
    'without what the grant needs': { ...same('invalid_request'), integration: NOT_ITS_GRANT },
    'a wrong password, code, refresh token or assertion': {
      ...same('invalid_assertion'),
      integration: NOT_ITS_GRANT,
    },
    'a scope nobody may have': { ...same('invalid_scope'), integration: NOT_ITS_GRANT },
  },
}

/** Title of the test of one cell. */
export const titleOf = (grant: GrantName, kind: CredentialKind, asked: Asked, outcome: Outcome): string =>
  `${grant} × ${kind}, ${asked}: ${outcome}`
