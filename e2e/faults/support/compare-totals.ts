/** Count and sum of all orders and carts, from core's database and from metrics: equal to the cent when nothing is written. */
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { ALL_TIME } from '../../support/every-order.ts'
import type { BreakdownAnswer } from '../../support/wire.ts'
import type { Lab, PublicSide } from './lab.ts'
import { createRecord, integrationOf, type User } from './user.ts'

const CATCH_UP_MS_MAX = 60_000
const POLL_MS = 200
const ORGANIZATIONS = [0, 1] as const
/** Cents of one unit; other currencies have a hundred. */
const CENTS: Readonly<Record<string, number>> = { JPY: 1 }
/** More than there are currencies. */
const GROUPS_MAX = 100

/** Clients' side of a system, and where its databases are. */
export interface Audited extends PublicSide {
  readonly postgres: Pick<Lab['postgres'], 'databaseUrl'>
}

/** `<count> adding up to <cents>`, by organization, resource and currency. */
type Totals = ReadonlyMap<string, string>

/** One that is being placed is no cart any more and no order yet (docs/reference/metrics-semantics.md). */
const OF_CORE = `
  SELECT e.organization_id, CASE WHEN o.status IN ('draft', 'pending') THEN 'carts' ELSE 'orders' END AS resource,
    o.currency_code, count(*)::int AS count, sum(o.total_amount_with_taxes_cents)::float8 AS cents
  FROM orders o JOIN environments e ON e.id = o.environment_id
  WHERE e.mode = 'test' AND o.status <> 'placing' GROUP BY 1, 2, 3`

interface CoreRow {
  readonly organization_id: string
  readonly resource: 'carts' | 'orders'
  readonly currency_code: string
  readonly count: number
  readonly cents: number
}

const keyOf = (organization: string, resource: string, currency: string): string =>
  `${resource} of ${organization} in ${currency}`

const readCore = async (lab: Audited, organizations: readonly string[]): Promise<Totals> => {
  const client = new Client({ connectionString: lab.postgres.databaseUrl('merx_core') })
  await client.connect()
  try {
    const { rows } = await client.query<CoreRow>(OF_CORE)
    return new Map(
      rows
        .filter((row) => organizations.includes(row.organization_id))
        .map((row) => [
          keyOf(row.organization_id, row.resource, row.currency_code),
          `${row.count} adding up to ${row.cents}`,
        ]),
    )
  } finally {
    await client.end()
  }
}

const byCurrency = async (
  user: User,
  resource: 'carts' | 'orders',
  measure: { readonly field: string; readonly operator: string },
): Promise<ReadonlyMap<string, number>> => {
  const reply = await user.metrics(`${resource}/breakdown`, {
    breakdown: { by: 'order.currency_code', ...measure, limit: GROUPS_MAX },
    filter: { order: { ...ALL_TIME, date_field: 'created_at' } },
  })
  const groups = reply?.json<BreakdownAnswer>().data['order.currency_code'] ?? []
  return new Map(groups.map(({ label, value }) => [label, Number(value)]))
}

const readMetrics = async (users: readonly User[]): Promise<Totals> => {
  const totals = new Map<string, string>()
  for (const user of users)
    for (const resource of ['carts', 'orders'] as const) {
      const counts = await byCurrency(user, resource, { field: 'order.id', operator: 'value_count' })
      const sums = await byCurrency(user, resource, {
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
      })
      for (const [currency, count] of counts) {
        const cents = Math.round((sums.get(currency) ?? 0) * (CENTS[currency] ?? 100))
        totals.set(keyOf(user.organizationId, resource, currency), `${count} adding up to ${cents}`)
      }
    }
  return totals
}

/** What one has otherwise than the other, a sentence each. */
export const differences = (core: Totals, metrics: Totals): string[] =>
  [...new Set([...core.keys(), ...metrics.keys()])].flatMap((key) =>
    core.get(key) === metrics.get(key)
      ? []
      : [`${key}: core has ${core.get(key) ?? 'none'}, metrics ${metrics.get(key) ?? 'none'}`],
  )

/** Nothing may write any more. @returns what still differs after a minute, a sentence each. */
export const compareTotals = async (lab: Audited): Promise<readonly string[]> => {
  const record = createRecord()
  const users = ORGANIZATIONS.map((organization) => integrationOf(lab, organization, record))
  const core = await readCore(
    lab,
    users.map(({ organizationId }) => organizationId),
  )
  if (core.size < ORGANIZATIONS.length) throw new Error('core holds no orders of the organizations')
  const deadline = performance.now() + CATCH_UP_MS_MAX
  for (;;) {
    const found = differences(core, await readMetrics(users))
    if (found.length === 0 || performance.now() > deadline) return [...found, ...record.wrong]
    await wait(POLL_MS)
  }
}
