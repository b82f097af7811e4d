import { CREDENTIAL_KINDS, type AuthenticatedClient, type CredentialKind } from '../clients/credential.ts'
import { GRANT_NAMES, isGrantName } from './grant-names.ts'
import { grants } from './index.ts'
import { requireGrant, requireGrantAllowed } from './require-grant.ts'

const clientOf = (kind: CredentialKind) => ({ credential: { kind } }) as AuthenticatedClient

/** Contract, Grant types per credential kind. */
const TABLE: Record<string, readonly CredentialKind[]> = {
  client_credentials: ['sales_channel', 'integration'],
  password: ['sales_channel'],
  authorization_code: ['webapp'],
  refresh_token: ['sales_channel', 'webapp'],
  'urn:ietf:params:oauth:grant-type:jwt-bearer': ['sales_channel', 'webapp'],
}

describe('grants', () => {
  it('are the five of the contract', () => {
    expect(grants.map(({ name }) => name)).toEqual([...GRANT_NAMES])
    expect(GRANT_NAMES.every(isGrantName)).toBe(true)
  })

  const cells = grants.flatMap((grant) => CREDENTIAL_KINDS.map((kind) => ({ grant, kind, name: grant.name })))

  it.each(cells)('$name is allowed for a $kind exactly as the contract says', ({ grant, kind }) => {
    const act = () => requireGrantAllowed(grant, clientOf(kind))
    if (TABLE[grant.name]?.includes(kind)) expect(act).not.toThrow()
    else
      expect(act).toThrow(`Credentials of kind ${kind} may not use the grant type '${grant.name}'; allowed: `)
  })

  it.each([
    ['integration', 'password', 'client_credentials'],
    ['webapp', 'password', 'authorization_code, refresh_token, urn:ietf:params:oauth:grant-type:jwt-bearer'],
    [
      'sales_channel',
      'authorization_code',
      'client_credentials, password, refresh_token, urn:ietf:params:oauth:grant-type:jwt-bearer',
    ],
  ] as const)('refuse a %s that uses %s, and name those that it may', (kind, name, allowed) => {
    const grant = grants.find((each) => each.name === name)
    if (grant === undefined) throw new Error(`there is no grant ${name}`)
    expect(() => requireGrantAllowed(grant, clientOf(kind))).toThrow(
      `Credentials of kind ${kind} may not use the grant type '${name}'; allowed: ${allowed}.`,
    )
  })

  it('are found by their exact name', () => {
    expect(requireGrant({ grant_type: 'password' }).name).toBe('password')
  })

  it.each(['Password', 'implicit', 'client_credentials ', 'toString'])(
    'refuse %j and name what is allowed',
    (name) => {
      expect(() => requireGrant({ grant_type: name })).toThrow(
        `The grant type '${name}' is not supported; allowed: client_credentials, password,`,
      )
    },
  )

  it('need a grant_type', () => {
    expect(() => requireGrant({})).toThrow('Missing required parameter: grant_type.')
  })
})
