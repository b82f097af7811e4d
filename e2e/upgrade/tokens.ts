/** Tokens and credentials that were given before an upgrade, and what they are worth after it. */
import { accessToken, clientCredentials, connect } from '../support/connect.ts'
import { CREDENTIALS, environment, type CredentialName, type Mode } from '../support/demo.ts'
import { signIn } from '../support/grants.ts'
import { administratorToken } from '../support/sign-in.ts'
import type { TokenBody } from '../support/wire.ts'

export interface OldTokens {
  /** Access tokens by whose they are. */
  readonly access: ReadonlyMap<string, string>
  /** Of a customer of the first organization. */
  readonly refresh: string
  /** Of a customer of the second organization; revoked before the upgrade. */
  readonly revoked: Required<TokenBody>
}

interface Credential {
  readonly name: CredentialName
  readonly organization: number
  readonly mode: Mode
}

/** Those that get tokens without a user. */
const MACHINES: readonly Credential[] = CREDENTIALS.filter((name) => name !== 'webapp').flatMap((name) =>
  [0, 1].flatMap((organization) => (['test', 'live'] as const).map((mode) => ({ name, organization, mode }))),
)

const nameOf = ({ name, organization, mode }: Credential): string =>
  `${name} of organization ${organization} in ${mode}`

const publicClient = (organization: number): string =>
  environment('test', organization).credentials.sales_channel.client_id

const revoke = async (token: string, organization: number): Promise<void> => {
  const body = JSON.stringify({ client_id: publicClient(organization), token })
  const reply = await connect().auth('POST', '/oauth/revoke', { 'Content-Type': 'application/json' }, body)
  if (reply.status !== 200) throw new Error(`a token could not be revoked: ${reply.status} ${reply.text}`)
}

/** One of each kind that the demo has. */
export const takeTokens = async (): Promise<OldTokens> => {
  const access = new Map<string, string>()
  for (const machine of MACHINES) access.set(nameOf(machine), await accessToken(machine.name, machine))
  const customer = await signIn()
  access.set('a customer', customer.access_token)
  access.set('a user', await administratorToken())
  const revoked = await signIn('test', 1)
  await revoke(revoked.refresh_token, 1)
  await revoke(revoked.access_token, 1)
  return { access, refresh: customer.refresh_token, revoked }
}

/** Metrics and core check a token each for themselves; core is enough, because both use the same package. */
const statusOf = async (token: string): Promise<number> =>
  (await connect().core('skus', { token, query: { 'page[size]': 1 } })).status

const refresh = (token: string, organization: number) =>
  connect().token({
    grant_type: 'refresh_token',
    client_id: publicClient(organization),
    refresh_token: token,
  })

const judge = (what: string, is: number, must: number): readonly string[] =>
  is === must ? [] : [`${what} is answered with ${is}, not ${must}`]

/** A sentence for each that does not do what it did. The refresh token is used up. */
export const judgeTokens = async (tokens: OldTokens): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const [name, token] of tokens.access)
    wrong.push(...judge(`the access token of ${name}`, await statusOf(token), 200))
  for (const machine of MACHINES) {
    const { status } = await connect().token(clientCredentials(machine.name, machine))
    wrong.push(...judge(`the credential ${nameOf(machine)}`, status, 200))
  }
  const next = await refresh(tokens.refresh, 0)
  wrong.push(...judge('a refresh token', next.status, 200))
  if (next.status === 200)
    wrong.push(...judge('what it gave', await statusOf(next.json<TokenBody>().access_token), 200))
  wrong.push(...judge('a revoked access token', await statusOf(tokens.revoked.access_token), 401))
  const refused = await refresh(tokens.revoked.refresh_token, 1)
  wrong.push(...judge('a revoked refresh token', refused.status, 400))
  return wrong
}
