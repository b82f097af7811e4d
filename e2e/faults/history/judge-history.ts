/** What became of a history when everything is over and quiet: how orders and stock stand, and what of it is not as it must be. */
import type { ResourceDocument } from '../../support/wire.ts'
import { compareTotals, type Audited } from '../support/compare-totals.ts'
import type { PublicSide } from '../support/lab.ts'
import type { LoadRecord } from '../support/user.ts'
import { checkHistory } from './check-history.ts'
import { openClient, type Client, type Notes } from './clients.ts'
import type { FinalOrder, History } from './entry.ts'
import { UNIT_CENTS, type Shop } from './shop.ts'

export interface Verdict {
  readonly requests: number
  readonly refused: number
  readonly sold: number
  /** What is not as it must be, a sentence each. */
  readonly wrong: readonly string[]
}

const sumOf = (document: ResourceDocument, type: string): number =>
  (document.included ?? [])
    .filter((each) => each.type === type && each.attributes['succeeded'] === true)
    .reduce((sum, { attributes }) => sum + Number(attributes['amount_cents']), 0)

const readOrder = async ({ user }: Client, order: string): Promise<FinalOrder | undefined> => {
  const document = (
    await user.core('GET', `orders/${order}?include=captures,refunds`)
  )?.json<ResourceDocument>()
  if (document === undefined) return undefined
  const { attributes } = document.data
  return {
    status: String(attributes['status']),
    paymentStatus: String(attributes['payment_status']),
    totalCents: Number(attributes['total_amount_with_taxes_cents']),
    capturedCents: sumOf(document, 'captures'),
    refundedCents: sumOf(document, 'refunds'),
  }
}

const readFinal = async (lab: PublicSide, shop: Shop, { entries, carts }: Notes): Promise<History> => {
  const [merchant, front] = [
    openClient(lab, 'merchant at the end'),
    openClient(lab, 'front at the end', shop.market),
  ]
  const tried = new Set(entries.flatMap(({ what }) => (what.kind === 'write' ? [what.order] : [])))
  const orders = new Map<string, FinalOrder>()
  for (const order of tried) {
    const final = await readOrder(merchant, order)
    if (final !== undefined) orders.set(order, final)
  }
  const stock = new Map<string, { readonly first: number; readonly last: number }>()
  for (const [sku, { units }] of shop.skus) {
    const reply = await front.user.core('GET', `skus/${sku}?fields[skus]=inventory`)
    const inventory = reply?.json<ResourceDocument>().data.attributes['inventory']
    stock.set(sku, { first: units, last: (inventory as { readonly quantity: number }).quantity })
  }
  return { entries, carts, stock, orders, unitCents: UNIT_CENTS }
}

/** @throws Error when the system does not answer now */
export const judgeHistory = async (
  lab: Audited,
  shop: Shop,
  notes: Notes,
  records: readonly LoadRecord[],
): Promise<Verdict> => {
  const history = await readFinal(lab, shop, notes)
  return {
    requests: records.reduce((sum, { observations }) => sum + observations.length, 0),
    refused: records.reduce((sum, { failed }) => sum + failed, 0),
    sold: [...history.orders.values()].filter(({ status }) => status === 'approved').length,
    wrong: [
      ...records.flatMap(({ wrong }) => [...wrong]),
      ...checkHistory(history),
      ...(await compareTotals(lab)),
    ],
  }
}
