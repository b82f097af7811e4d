/** An access token of each kind of caller that the demo has. */
import { accessToken, customerToken } from './connect.ts'
import { environment, first } from './demo.ts'
import type { TokenBody } from './wire.ts'

export const tokensOfEveryKind = async (): Promise<string[]> => {
  const { markets, stores } = environment()
  const market = first(markets, 'market')
  const customers = await Promise.all([customerToken(), customerToken({ isPrivate: true })])
  return Promise.all([
    accessToken('integration'),
    accessToken('integration_read_only'),
    accessToken('integration_custom'),
    accessToken('integration_custom', { scope: `market:id:${market.id}` }),
    accessToken('sales_channel'),
    accessToken('sales_channel', { scope: `store:id:${first(stores, 'store').id}` }),
    accessToken('integration', { organization: 1 }),
    ...customers.map(async (reply) => reply.json<TokenBody>().access_token),
  ])
}
