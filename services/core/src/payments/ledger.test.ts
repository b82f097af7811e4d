import fc from 'fast-check'
import {
  captureBalance,
  openCents,
  receivedCents,
  refundBalance,
  voidBalance,
  withMovement,
} from './ledger.ts'
import type { Movement, TransactionType } from './ledger.ts'

const KINDS = ['authorizations', 'captures', 'voids', 'refunds'] as const

/** Which movement it acts on, how much of its balance it takes, and whether the gateway does it. */
const steps = fc.array(
  fc.record({
    type: fc.constantFrom<TransactionType>(...KINDS),
    pick: fc.nat(),
    share: fc.integer({ min: 1, max: 100 }),
    succeeded: fc.boolean(),
  }),
  { maxLength: 30 },
)
type Step = Parameters<Parameters<typeof steps.map>[0]>[0][number]

const BALANCES = { captures: captureBalance, voids: voidBalance, refunds: refundBalance } as const

const apply = (ledger: readonly Movement[], { type, pick, share, succeeded }: Step): readonly Movement[] => {
  const id = ledger.length + 1
  if (type === 'authorizations') return withMovement(ledger, { id, type, amount_cents: share * 7, succeeded })
  const balance = BALANCES[type]
  const origins = ledger.filter((movement) => balance(movement) > 0)
  const origin = origins[pick % Math.max(origins.length, 1)]
  if (origin === undefined) return ledger
  const amount_cents = Math.max(1, Math.floor((balance(origin) * share) / 100))
  return withMovement(ledger, { id, type, amount_cents, succeeded, origin: origin.id })
}

const sumOf = (ledger: readonly Movement[], kind: TransactionType): number =>
  ledger.reduce(
    (sum, { type, succeeded, amount_cents }) => sum + (type === kind && succeeded ? amount_cents : 0),
    0,
  )

const follows = (ledger: readonly Movement[]): void => {
  for (const movement of ledger)
    for (const balance of Object.values(BALANCES)) expect(balance(movement)).toBeGreaterThanOrEqual(0)
  const [authorized, captured, voided, refunded] = KINDS.map((kind) => sumOf(ledger, kind))
  expect(receivedCents(ledger)).toBe((captured ?? 0) - (refunded ?? 0))
  expect(openCents(ledger)).toBe((authorized ?? 0) - (captured ?? 0) - (voided ?? 0))
}

test('what was received is captured less refunded, and no balance is negative', () => {
  fc.assert(
    fc.property(steps, (all) => {
      let ledger: readonly Movement[] = []
      for (const step of all) {
        ledger = apply(ledger, step)
        follows(ledger)
      }
    }),
  )
})

test('nothing is voided of what was captured in part', () => {
  const authorized = withMovement([], {
    id: 1,
    type: 'authorizations',
    amount_cents: 100,
    succeeded: true,
  })
  const [authorization] = withMovement(authorized, {
    id: 2,
    type: 'captures',
    amount_cents: 40,
    succeeded: true,
    origin: 1,
  })
  if (authorization === undefined) throw new Error('there is no authorization')
  expect([captureBalance(authorization), voidBalance(authorization)]).toEqual([60, 0])
})
