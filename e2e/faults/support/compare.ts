/** The ledger against what core and metrics say when all is well again. Each sentence it gives is a loss or a falsehood. */
import { setTimeout as wait } from 'node:timers/promises'
import type { CollectionDocument, ResourceDocument } from '../../support/wire.ts'
import type { KnownOrder, Ledger } from './ledger.ts'
import { askCarts } from './metrics-answers.ts'
import type { User } from './user.ts'

const CATCH_UP_MS_MAX = 60_000
const POLL_MS = 100

/** Every subset of the undecided lines may be there; more than this many orders do not have. */
const isSumOfSome = (amounts: readonly number[], sum: number): boolean => {
  if (sum === 0) return true
  const [first, ...rest] = amounts
  return first !== undefined && (isSumOfSome(rest, sum - first) || isSumOfSome(rest, sum))
}

interface StoredOrder {
  readonly subtotalCents: number
  readonly totalWithTaxesCents: number
  readonly lineIds: readonly string[]
}

const readOrder = async (user: User, id: string): Promise<StoredOrder | undefined> => {
  const [order, lines] = [
    await user.core('GET', `orders/${id}`),
    await user.core('GET', `orders/${id}/line_items?page%5Bsize%5D=25`),
  ]
  if (order === undefined || lines === undefined) return undefined
  const { attributes } = order.json<ResourceDocument>().data
  return {
    subtotalCents: Number(attributes['subtotal_amount_cents']),
    totalWithTaxesCents: Number(attributes['total_amount_with_taxes_cents']),
    lineIds: lines.json<CollectionDocument>().data.map((line) => line.id),
  }
}

const differencesOfOrder = (id: string, known: KnownOrder, stored: StoredOrder | undefined): string[] => {
  if (stored === undefined) return [`the order ${id} is lost`]
  const lost = known.lines.filter((line) => !stored.lineIds.includes(line.id))
  const certain = known.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const extra = stored.subtotalCents - certain
  return [
    ...lost.map((line) => `the line ${line.id} of ${id} is lost`),
    ...(extra >= 0 && isSumOfSome(known.undecidedCents, extra)
      ? []
      : [`the order ${id} adds up to ${stored.subtotalCents}, acknowledged were ${certain}`]),
    ...(stored.lineIds.length <= known.lines.length + known.undecidedCents.length
      ? []
      : [`the order ${id} has more lines than were sent`]),
  ]
}

const compareReferences = async (user: User, { references }: Ledger): Promise<string[]> => {
  const faults: string[] = []
  for (const [id, { acknowledged, sent }] of references) {
    const reply = await user.core('GET', `orders/${id}`)
    const reference = reply?.json<ResourceDocument>().data.attributes['reference']
    const turn =
      acknowledged === 0 && reference !== `turn-${sent}` ? 0 : Number(String(reference).split('-')[1])
    if (!(turn >= acknowledged && turn <= sent))
      faults.push(`the order ${id} has ${String(reference)}, acknowledged was turn-${acknowledged}`)
  }
  return faults
}

/** Milliseconds until metrics has every order as core has it, to the cent. */
const untilSameInMetrics = async (
  user: User,
  expected: ReadonlyMap<string, number>,
): Promise<{ readonly ms: number; readonly faults: readonly string[] }> => {
  const since = performance.now()
  for (;;) {
    const found = await askCarts(user, [...expected.keys()])
    const faults = [...expected].flatMap(([id, cents]) =>
      found.get(id) === cents
        ? []
        : [`metrics has ${found.get(id) ?? 'nothing'} for the order ${id}, core ${cents}`],
    )
    const ms = Math.round(performance.now() - since)
    if (faults.length === 0 || ms > CATCH_UP_MS_MAX) return { ms, faults }
    await wait(POLL_MS)
  }
}

export interface Comparison {
  readonly lost: readonly string[]
  /** Until metrics agreed with core, from the end of the load. */
  readonly caughtUpMs: number
}

export const compareWithLedger = async (user: User, ledger: Ledger): Promise<Comparison> => {
  const lost: string[] = []
  const expected = new Map<string, number>()
  for (const [id, known] of ledger.orders) {
    const stored = await readOrder(user, id)
    lost.push(...differencesOfOrder(id, known, stored))
    if (stored !== undefined) expected.set(id, stored.totalWithTaxesCents)
  }
  lost.push(...(await compareReferences(user, ledger)))
  const { ms, faults } = await untilSameInMetrics(user, expected)
  return { lost: [...lost, ...faults], caughtUpMs: ms }
}
