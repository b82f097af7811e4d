import type { LoadRequest } from '@merx/load/exchange'
import type { LoadOperation, LoadScenario } from '@merx/load/scenario'
import { openLab, type Lab } from '../faults/support/lab.ts'
import { first, type Credential } from '../support/demo.ts'
import { working } from './errands.ts'
import { openDay } from './open-day.ts'
import { askToken, browsing, signedIn, targetOf, watching } from './requests.ts'
import { openSettling } from './settle-day.ts'
import { importing, purchase, sendOff, takeBack, type Day } from './shop-errands.ts'

const DEMO_ORDERS = 5_000

const shopOf = ({ demo }: Lab) => {
  const { credentials, markets } = first(demo.organizations, 'organization').environments.test
  return { credentials, market: first(markets, 'public market', (one) => !one.private).id }
}

const operationsOf = (lab: Lab, day: Day): readonly LoadOperation[] => {
  const { credentials, market } = shopOf(lab)
  const ask = (credential: Pick<Credential, 'client_id'> & Partial<Credential>, more: object): LoadRequest =>
    askToken(`auth.${lab.demo.domain}`, { grant_type: 'client_credentials', ...more, ...credential })
  const { client_id, client_secret } = credentials.integration
  const integration = ask({ client_id, client_secret }, {})
  const guest = ask({ client_id: credentials.sales_channel.client_id }, { scope: `market:id:${market}` })
  return [
    { name: 'guest gets a token', weight: 20, callerOf: () => ({ next: () => guest }) },
    { name: 'guest browses', weight: 460, callerOf: signedIn(guest, browsing) },
    { name: 'purchase', weight: 270, callerOf: signedIn(guest, working(purchase(day))) },
    { name: 'order sent off', weight: 170, callerOf: signedIn(integration, working(sendOff(day))) },
    { name: 'return', weight: 40, callerOf: signedIn(integration, working(takeBack(day))) },
    { name: 'dashboard', weight: 39, callerOf: signedIn(integration, watching) },
    { name: 'import', weight: 1, callerOf: signedIn(integration, working(importing(day))) },
  ]
}

export const scenario: LoadScenario = {
  summary:
    'A day in a shop through nginx, with webhooks: guests who get a token and browse, purchases from the cart to `_place`, orders that are approved, captured and shipped, returns up to the refund, questions to metrics, imports. Memory is that of auth, core and metrics together.',
  open: async ({ defer, say }) => {
    say('starting the system')
    const lab = await openLab({ demoOrders: DEMO_ORDERS })
    defer(() => lab.close())
    const day = await openDay(lab, shopOf(lab).market)
    defer(() => day.close())
    const settling = await openSettling(lab.postgres.databaseUrl('merx_core'))
    defer(() => settling.close())
    return {
      target: targetOf(lab),
      operations: operationsOf(lab, day),
      settle: () => settling.settle(day.told),
    }
  },
}
