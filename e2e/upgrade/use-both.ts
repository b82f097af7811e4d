/** What each core makes of what the other one writes, while both serve one database. */
import { accessToken, connect, JSON_API } from '../support/connect.ts'
import { environment, first, type CredentialName } from '../support/demo.ts'
import { ADDRESS, sell } from '../support/sell.ts'
import type { Reply } from '../support/send.ts'
import type { CollectionDocument, ResourceDocument, ResourceObject } from '../support/wire.ts'
import { findSku } from './find-sku.ts'

const STEPS = ['lines', 'address', 'place', 'approve', 'capture', 'pack', 'ship', 'deliver'] as const
/** The load counts the orders of the other one. */
const MODE = 'live'
const EMAIL = 'Grace.Hopper@Example.COM'

interface Both {
  /** Asks the core of the release before. */
  readonly old: (method: string, path: string, body?: object) => Promise<Reply>
  /** Asks the core of this release. */
  readonly now: (method: string, path: string, body?: object) => Promise<Reply>
}

const dataOf = (reply: Reply): ResourceObject => {
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text.slice(0, 400)}`)
  return reply.json<ResourceDocument>().data
}

const openBoth = async (oldUrl: string, name: CredentialName): Promise<Both> => {
  const token = await accessToken(name, { mode: MODE })
  const connection = connect()
  return {
    old: (method, path, body) =>
      connection.raw(
        method,
        `${oldUrl}/api/${path}`,
        {
          Accept: JSON_API,
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'Content-Type': JSON_API }),
        },
        body,
      ),
    now: (method, path, body) =>
      connection.core(path, { token, method, ...(body === undefined ? {} : { body }) }),
  }
}

const link = (type: string, id: string) => ({ data: { type, id } })

/** The release before reads what only this one can make. */
const readWhatIsNew = async ({ old, now }: Both): Promise<void> => {
  const id = await sell(
    { mode: MODE, email: 'ada@example.com', skuCode: await findSku(MODE), quantity: 1 },
    STEPS,
  )
  const path = `orders/${id}?include=line_items,shipping_address,billing_address,market`
  const [seen, made] = [dataOf(await old('GET', path)), dataOf(await now('GET', path))]
  for (const name of ['status', 'number', 'total_amount_with_taxes_cents', 'payment_status'])
    if (seen.attributes[name] !== made.attributes[name])
      throw new Error(
        `${name} is ${String(seen.attributes[name])} for one and ${String(made.attributes[name])}`,
      )
}

const beginOrder = async ({ old }: Both, attributes: object = {}): Promise<string> => {
  const market = first(environment(MODE).markets, 'public market', (one) => !one.private)
  const body = { data: { type: 'orders', attributes, relationships: { market: link('markets', market.id) } } }
  return dataOf(await old('POST', 'orders', body)).id
}

const addLine = async (both: Both, order: string, attributes: object): Promise<ResourceObject> =>
  dataOf(
    await both.old('POST', 'line_items', {
      data: { type: 'line_items', attributes, relationships: { order: link('orders', order) } },
    }),
  )

/** An amount that an integration gave stays, whoever changes the quantity. */
const changeOldLine = async (both: Both): Promise<void> => {
  const order = await beginOrder(both)
  const own = { sku_code: await findSku(MODE), quantity: 1, unit_amount_cents: 4321 }
  const { id } = await addLine(both, order, own)
  const attributes = { quantity: 2 }
  const changed = dataOf(
    await both.now('PATCH', `line_items/${id}`, { data: { type: 'line_items', id, attributes } }),
  )
  const { unit_amount_cents: unit, total_amount_cents: total } = changed.attributes
  if (unit !== 4321 || total !== 8642) throw new Error(`its amounts are ${String(unit)} and ${String(total)}`)
}

/** What filters compare is in the form in which this release looks for it. */
const findByEmail = async (both: Both): Promise<void> => {
  const id = await beginOrder(both, { customer_email: EMAIL })
  const query = `orders?filter%5Bq%5D%5Bcustomer_email_eq%5D=${encodeURIComponent(EMAIL)}&page%5Bsize%5D=25`
  const reply = await both.now('GET', query)
  const found = reply.json<CollectionDocument>().data.map((order) => order.id)
  if (!found.includes(id)) throw new Error(`${id} is not among ${found.join(', ') || 'none'}`)
}

/** A cart of the release before is bought with this one. */
const placeOldCart = async (both: Both): Promise<void> => {
  const order = await beginOrder(both, { customer_email: 'ada@example.com' })
  await addLine(both, order, { sku_code: await findSku(MODE), quantity: 1 })
  const address = dataOf(
    await both.old('POST', 'addresses', { data: { type: 'addresses', attributes: ADDRESS } }),
  ).id
  const relationships = {
    shipping_address: link('addresses', address),
    billing_address: link('addresses', address),
  }
  dataOf(await both.old('PATCH', `orders/${order}`, { data: { type: 'orders', id: order, relationships } }))
  // The release before plans no shipments.
  const attributes = { _refresh: true }
  dataOf(await both.now('PATCH', `orders/${order}`, { data: { type: 'orders', id: order, attributes } }))
  await sell({ mode: MODE, email: 'ada@example.com', skuCode: '', quantity: 1, order }, [
    'place',
    'approve',
    'capture',
  ])
}

interface Check {
  readonly who: CredentialName
  readonly act: (both: Both) => Promise<void>
}

const CHECKS: Readonly<Record<string, Check>> = {
  'an order of this release read by the one before': { who: 'integration', act: readWhatIsNew },
  'a line of the release before with an amount of its own': { who: 'integration', act: changeOldLine },
  'an email that the release before wrote': { who: 'integration', act: findByEmail },
  'a cart of the release before': { who: 'sales_channel', act: placeOldCart },
}

/** @returns a sentence for each that went wrong. */
export const useBoth = async (oldUrl: string): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const [what, { who, act }] of Object.entries(CHECKS)) {
    const both = await openBoth(oldUrl, who)
    await act(both).catch((error: unknown) => wrong.push(`${what}: ${String(error)}`))
  }
  return wrong
}
