/** Bodies of the grants other than client_credentials. */
import { createAssertion } from '@commercelayer/js-auth'
import { connect } from './connect.ts'
import { environment, publicMarket, type Environment, type Mode } from './demo.ts'
import type { TokenBody } from './wire.ts'

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A scope of one public market. */
export const marketScope = (mode: Mode = 'test', index = 0): string =>
  `market:id:${publicMarket(mode, index).id}`

/** The password grant of the demo customer. */
export const passwordBody = (mode: Mode = 'test', index = 0) => {
  const { credentials, customer } = environment(mode, index)
  return {
    grant_type: 'password',
    client_id: credentials.sales_channel.client_id,
    username: customer.email,
    password: customer.password,
    scope: marketScope(mode, index),
  }
}

/** A new customer token with its refresh token. */
export const signIn = async (mode: Mode = 'test', index = 0): Promise<Required<TokenBody>> => {
  const reply = await connect().token(passwordBody(mode, index))
  if (reply.status !== 200) throw new Error(`password grant: ${reply.status} ${reply.text}`)
  return reply.json<Required<TokenBody>>()
}

/** A JWT bearer request of a credential; the assertion carries a custom claim, and an owner when given. */
export const jwtBearerBody = async (
  credential: Environment['credentials'][keyof Environment['credentials']],
  owner?: { readonly type: 'Customer' | 'User'; readonly id: string },
  scope?: string,
) => ({
  grant_type: JWT_BEARER,
  client_id: credential.client_id,
  client_secret: credential.client_secret,
  assertion: await createAssertion({
    payload: {
      'https://commercelayer.io/claims': {
        ...(owner === undefined ? {} : { owner }),
        custom_claim: { name: 'Jörg', list: [1, 2] },
      },
    },
  }),
  ...(scope === undefined ? {} : { scope }),
})
