/**
 * What must be true of a history whatever broke meanwhile: what was acknowledged is there, nothing happened that nobody asked for,
 * stock and money add up at every moment that was read, and what one has read does not go back. Pure; a sentence for each fault.
 */
import { isGood } from '../support/observations.ts'
import type { Entry, FinalOrder, History, OrderRead, StepName, StockRead, Written } from './entry.ts'

/** The further, the later. An order that is cancelled stays so. */
const RANKS: Readonly<Record<string, number>> = {
  draft: 0,
  pending: 0,
  placing: 0,
  placed: 1,
  approved: 2,
  cancelled: 3,
}
const rankOf = (status: string): number => RANKS[status] ?? -1

/** The least an order is after the step. */
const REACHED: Readonly<Record<StepName, number>> = { place: 1, approve: 2, capture: 2, cancel: 3 }

type Of<T> = Entry & { readonly what: T }

const writesOf = ({ entries }: History): readonly Of<Written>[] =>
  entries.filter((entry): entry is Of<Written> => entry.what.kind === 'write')

/** Requests that may have changed something: only a refusal says that they did not. */
const maybeDone = ({ outcome }: Entry): boolean => outcome === 'none' || outcome < 400 || outcome >= 500

export const checkHistory = (history: History): readonly string[] => [
  ...checkAcknowledged(history),
  ...checkUnasked(history),
  ...checkMoney(history),
  ...checkLastStock(history),
  ...checkStockReads(history),
  ...checkOrderReads(history),
  ...checkGoingBack(history),
]

const checkAcknowledged = (history: History): readonly string[] =>
  writesOf(history)
    .filter(({ outcome }) => isGood(outcome))
    .flatMap(({ what: { order, step } }) => {
      const final = history.orders.get(order)
      if (final === undefined) return [`${order}: ${step} was acknowledged, and it is gone`]
      const isPaid = final.capturedCents > 0
      return rankOf(final.status) < REACHED[step] || (step === 'capture' && !isPaid)
        ? [`${order}: ${step} was acknowledged, and it is ${final.status} and ${final.paymentStatus}`]
        : []
    })

/** An order that went on without a request that may have done it. */
const checkUnasked = (history: History): readonly string[] => {
  const asked = new Map<string, Set<StepName>>()
  for (const entry of writesOf(history))
    if (maybeDone(entry))
      asked.set(entry.what.order, (asked.get(entry.what.order) ?? new Set()).add(entry.what.step))
  return [...history.orders].flatMap(([order, final]) =>
    stepsIn(final)
      .filter((step) => asked.get(order)?.has(step) !== true)
      .map((step) => `${order} is ${final.status} and ${final.paymentStatus}, and nobody asked for ${step}`),
  )
}

/** What must have happened to an order that stands so. */
const stepsIn = ({ status, capturedCents }: FinalOrder): readonly StepName[] => [
  ...(rankOf(status) >= 1 ? (['place'] as const) : []),
  ...(status === 'approved' ? (['approve'] as const) : []),
  ...(status === 'cancelled' ? (['cancel'] as const) : []),
  ...(capturedCents > 0 ? (['capture'] as const) : []),
]

const checkMoney = ({ orders, carts, unitCents }: History): readonly string[] =>
  [...orders].flatMap(([order, final]) => {
    const { totalCents, capturedCents, refundedCents, paymentStatus } = final
    const due = (carts.get(order)?.quantity ?? 0) * unitCents
    const kept = capturedCents - refundedCents
    return [
      ...(totalCents === due ? [] : [`${order} costs ${totalCents} cents, not ${due}`]),
      ...(kept === (paymentStatus === 'paid' ? due : 0)
        ? []
        : [`${order} is ${paymentStatus}, and ${kept} cents of ${due} were kept`]),
    ]
  })

const isSold = ({ status }: { readonly status: string }): boolean =>
  status === 'placed' || status === 'approved'

const checkLastStock = ({ stock, orders, carts }: History): readonly string[] =>
  [...stock].flatMap(([sku, { first, last }]) => {
    const sold = [...orders].reduce((sum, [order, final]) => {
      const cart = carts.get(order)
      return cart?.sku === sku && isSold(final) ? sum + cart.quantity : sum
    }, 0)
    if (sold > first) return [`${sku}: ${sold} of ${first} were sold`]
    return last === first - sold ? [] : [`${sku}: ${last} are left of ${first}, and ${sold} were sold`]
  })

const isStock = (entry: Entry): entry is Of<StockRead> => entry.what.kind === 'stock'
const isOrder = (entry: Entry): entry is Of<OrderRead> => entry.what.kind === 'order'

/** When units of an order were taken for certain, may have been, and may have been, or were, given back. */
interface Taken {
  readonly sku: string
  readonly quantity: number
  readonly sentAt: number
  readonly doneAt: number
  readonly cancelSentAt: number
  readonly cancelDoneAt: number
}

const takenOf = (history: History): readonly Taken[] => {
  const byOrder = Map.groupBy(writesOf(history), ({ what }) => what.order)
  return [...byOrder].flatMap(([order, writes]) => {
    const cart = history.carts.get(order)
    if (cart === undefined) return []
    const of = (step: StepName) => writes.filter(({ what }) => what.step === step)
    const sentAt = (step: StepName) =>
      Math.min(
        Infinity,
        ...of(step)
          .filter(maybeDone)
          .map(({ from }) => from),
      )
    const doneAt = (step: StepName) =>
      Math.min(
        Infinity,
        ...of(step)
          .filter(({ outcome }) => isGood(outcome))
          .map(({ to }) => to),
      )
    return [
      {
        ...cart,
        ...{ sentAt: sentAt('place'), doneAt: doneAt('place') },
        ...{ cancelSentAt: sentAt('cancel'), cancelDoneAt: doneAt('cancel') },
      },
    ]
  })
}

const unitsOf = (taken: readonly Taken[]): number => taken.reduce((sum, { quantity }) => sum + quantity, 0)

/** What was read lies between what was taken for certain before, and what may have been taken until then. */
const checkStockReads = (history: History): readonly string[] => {
  const all = takenOf(history)
  return history.entries.filter(isStock).flatMap(({ client, from, to, what: { sku, available } }) => {
    const first = history.stock.get(sku)?.first ?? 0
    const ofSku = all.filter((each) => each.sku === sku)
    const certainly = unitsOf(ofSku.filter((each) => each.doneAt <= from && each.cancelSentAt > to))
    const maybe = unitsOf(ofSku.filter((each) => each.sentAt < to && each.cancelDoneAt > from))
    const [least, most] = [Math.max(0, first - maybe), first - certainly]
    return available >= least && available <= most
      ? []
      : [`${client} read ${available} of ${sku} at ${Math.round(to)} ms; possible: ${least} to ${most}`]
  })
}

/** Whoever asks after an answer sees what was answered. */
const checkOrderReads = (history: History): readonly string[] => {
  const done = Map.groupBy(
    writesOf(history).filter(({ outcome }) => isGood(outcome)),
    ({ what }) => what.order,
  )
  return history.entries
    .filter(isOrder)
    .flatMap(({ client, from, what: { order, status } }) =>
      (done.get(order) ?? [])
        .filter(({ to, what: { step } }) => to <= from && rankOf(status) < REACHED[step])
        .map(
          ({ what: { step } }) => `${client} read ${order} as ${status} after ${step} had been acknowledged`,
        ),
    )
}

/** Of one client: its reads of an order, and of the count of metrics, in turn. */
const checkGoingBack = ({ entries }: History): readonly string[] => {
  const last = new Map<string, { readonly rank: number; readonly updatedAt: string }>()
  return entries.flatMap(({ client, what }) => {
    if (what.kind !== 'order' && what.kind !== 'count') return []
    const name = what.kind === 'order' ? what.order : 'the count of metrics'
    const now =
      what.kind === 'order'
        ? { rank: rankOf(what.status), updatedAt: what.updatedAt }
        : { rank: what.count, updatedAt: '' }
    const before = last.get(`${client} ${name}`)
    last.set(`${client} ${name}`, now)
    if (before === undefined || (now.rank >= before.rank && now.updatedAt >= before.updatedAt)) return []
    return [`${client} read ${name} as it was before: ${JSON.stringify(now)} after ${JSON.stringify(before)}`]
  })
}
