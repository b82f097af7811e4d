/** Grant × credential kind × what is wrong: every cell of docs/reference/oauth-outcomes.md, asked of the service. */
import type { KeyValue } from '@merx/key-value/key-value'
import { createMemoryKeyValue } from '@merx/key-value/memory-key-value'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { createOpaqueToken } from '../../src/clients/client-secret.ts'
import { CREDENTIAL_KINDS, type CredentialKind } from '../../src/clients/credential.ts'
import { createAuthorizationCodes } from '../../src/grants/authorization-codes.ts'
import { GRANT_NAMES, type GrantName } from '../../src/grants/grant-names.ts'
import type { CreatedCredential } from '../../src/provisioning/create-credential.ts'
import {
  assertionOf,
  oauthErrorOf,
  REDIRECT_URI,
  startTestSystem,
  type TestSystem,
} from '../support/auth-system.ts'
import { ASKED, OUTCOMES, titleOf, type Asked, type Outcome } from '../support/grant-outcomes.ts'
import { runSql } from '../support/sql.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

type Clients = Readonly<Record<CredentialKind, CreatedCredential>>

let system: TestSystem
let keyValue: KeyValue
let clients: Clients
let others: Clients
let disabled: Clients

const makeClients = async (name: string): Promise<Clients> => {
  const { organizationId, adminRoleId: roleId, auth } = system
  const make: typeof auth.provisioning.createCredential = (input) => auth.provisioning.createCredential(input)
  const shared = { organizationId, mode: 'test', name } as const
  return {
    sales_channel: await make({ ...shared, kind: 'sales_channel' }),
    integration: await make({ ...shared, kind: 'integration', roleId }),
    webapp: await make({ ...shared, kind: 'webapp', redirectUri: REDIRECT_URI }),
  }
}

beforeAll(async () => {
  system = await startTestSystem({
    name: 'grant_outcomes',
    keyValue: (clock) => (keyValue = createMemoryKeyValue({ clock })),
  })
  clients = await makeClients('ours')
  others = await makeClients('another')
  disabled = await makeClients('disabled')
  await runSql(system.databaseUrl, `UPDATE credentials SET disabled_at = now() WHERE name = 'disabled'`)
})
afterAll(() => system.close())

type Fields = Record<string, string>

const SCOPE = { scope: 'market:code:europe' }

const refreshTokenOf = async ({ clientId, clientSecret }: CreatedCredential): Promise<string> => {
  const { body } = await system.token({
    grant_type: JWT_BEARER,
    client_id: clientId,
    client_secret: clientSecret,
    assertion: assertionOf({ custom_claim: { made: 'for a refresh token' } }),
    ...SCOPE,
  })
  return (body as { refresh_token?: string }).refresh_token ?? createOpaqueToken()
}

const codeOf = ({ clientId }: CreatedCredential): Promise<string> =>
  createAuthorizationCodes(keyValue).create({ clientId, userId: system.userId, redirectUri: REDIRECT_URI })

/** What each grant requires besides the client; all of it right, for this client. */
const right: Record<GrantName, (client: CreatedCredential) => Promise<Fields>> = {
  client_credentials: async () => SCOPE,
  password: async () => ({ username: 'ann@example.com', password: 'correct horse', ...SCOPE }),
  authorization_code: async (client) => ({ code: await codeOf(client), redirect_uri: REDIRECT_URI }),
  refresh_token: async (client) => ({ refresh_token: await refreshTokenOf(client) }),
  [JWT_BEARER]: async () => ({ assertion: assertionOf({ custom_claim: {} }), ...SCOPE }),
}

const wrong: Record<GrantName, Fields> = {
  client_credentials: {},
  password: { password: 'a wrong one' },
  authorization_code: { code: createOpaqueToken() },
  refresh_token: { refresh_token: createOpaqueToken() },
  [JWT_BEARER]: { assertion: assertionOf({}) },
}

/** What is right for somebody else: a code or token of another client, an owner nobody here knows. */
const foreign: Record<GrantName, (kind: CredentialKind) => Promise<Fields>> = {
  client_credentials: async () => ({}),
  password: async () => ({}),
  authorization_code: async () => ({ code: await codeOf(others.webapp) }),
  refresh_token: async (kind) => ({ refresh_token: await refreshTokenOf(others[kind]) }),
  [JWT_BEARER]: async () => ({ assertion: assertionOf({ owner: { type: 'Customer', id: 'strangerAA' } }) }),
}

const changed = async (
  asked: Asked,
  grant: GrantName,
  kind: CredentialKind,
  fields: Fields,
): Promise<Fields> => {
  switch (asked) {
    case 'without the secret': {
      const { client_secret: _secret, ...rest } = fields
      return rest
    }
    case 'a wrong secret':
      return { ...fields, client_secret: createOpaqueToken() }
    case 'an unknown client':
      return { ...fields, client_id: createOpaqueToken() }
    case 'a disabled client': {
      const { clientId, clientSecret } = disabled[kind]
      return { ...fields, client_id: clientId, client_secret: clientSecret }
    }
    case 'another environment’s or client’s':
      return { ...fields, ...(await foreign[grant](kind)) }
    case 'without what the grant needs':
      return Object.fromEntries(
        Object.entries(fields).filter(([name]) =>
          ['grant_type', 'client_id', 'client_secret'].includes(name),
        ),
      )
    case 'a wrong password, code, refresh token or assertion':
      return { ...fields, ...wrong[grant] }
    case 'a scope nobody may have':
      return { ...fields, scope: 'market:code:nowhere' }
    case 'everything right':
      return fields
  }
}

const ask = async (grant: GrantName, kind: CredentialKind, asked: Asked): Promise<InProcessResponse> => {
  const { clientId, clientSecret } = clients[kind]
  const proof = { grant_type: grant, client_id: clientId, client_secret: clientSecret }
  const fields = { ...proof, ...(await right[grant](clients[kind])) }
  return system.token(await changed(asked, grant, kind, fields))
}

const outcomeOf = (response: InProcessResponse): string => {
  if (response.status !== 200) return oauthErrorOf(response).error
  return 'refresh_token' in (response.body as object) ? 'token and refresh token' : 'token'
}

const STATUS: Readonly<Record<Outcome, number>> = {
  token: 200,
  'token and refresh token': 200,
  invalid_client: 401,
  invalid_request: 400,
  invalid_grant: 400,
  invalid_assertion: 400,
  invalid_scope: 400,
  unauthorized_client: 400,
}

const cells = GRANT_NAMES.flatMap((grant) =>
  ASKED.flatMap((asked) =>
    CREDENTIAL_KINDS.flatMap((kind) => {
      const outcome = OUTCOMES[grant][asked]?.[kind]
      return outcome === undefined
        ? []
        : [{ title: titleOf(grant, kind, asked, outcome), grant, kind, asked, outcome }]
    }),
  ),
)

describe('the token endpoint', () => {
  it.each(cells)('$title', async ({ grant, kind, asked, outcome }) => {
    const response = await ask(grant, kind, asked)
    expect([outcomeOf(response), response.status]).toEqual([outcome, STATUS[outcome]])
  })
})
