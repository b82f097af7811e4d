/**
 * Writes services/console/page/src/data/triggers.json from the state machines: which triggers a record takes in which
 * state, so that a page can show those and no other. `node services/core/gen/triggers.ts`
 */
import { writeFile } from 'node:fs/promises'
import { stateMachines } from '../src/areas.ts'
import { moneyTriggers } from '../src/orders/money-triggers.ts'
import { TRANSACTION_TRIGGERS } from '../src/payments/commands/order-allows.ts'
import type { AnyStateMachine, Needs, Transition } from '../src/states/define-state-machine.ts'

/** Where the list is kept. */
export const triggersPath = new URL('../../console/page/src/data/triggers.json', import.meta.url)

/** Trigger → the alternatives, one of which must hold. */
export type TriggerConditions = Readonly<Record<string, readonly Needs[]>>

const conditionsOf = (column: string, { from, needs = [{}] }: Transition<string, never>): readonly Needs[] =>
  needs.map((need) => ({ [column]: from, ...need }))

const isSame = (one: Needs, other: Needs): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The triggers that an integration or a user may start. */
const triggersOfMachine = ({ column, transitions }: AnyStateMachine): TriggerConditions => {
  const conditions: Record<string, Needs[]> = {}
  for (const transition of Object.values(transitions)) {
    const { trigger } = transition
    if (trigger === undefined) continue
    const known = (conditions[trigger] ??= [])
    // Two transitions of one trigger may start from the same states.
    known.push(
      ...conditionsOf(column, transition).filter((each) => !known.some((other) => isSame(each, other))),
    )
  }
  return conditions
}

const more: Readonly<Record<string, TriggerConditions>> = {
  orders: Object.fromEntries(Object.entries(moneyTriggers).map(([trigger, needs]) => [trigger, [needs]])),
}

/** Of all kinds of transactions, by the status of their order; what is left of one decides the rest. */
const ofTransactions: TriggerConditions = Object.fromEntries(
  Object.entries(TRANSACTION_TRIGGERS).map(([trigger, statuses]) => [trigger, [{ order_status: statuses }]]),
)

/** Type → its triggers. */
export const publishedTriggers = (): Readonly<Record<string, TriggerConditions>> => ({
  ...Object.fromEntries(
    Object.entries(stateMachines).map(([type, machines]) => [
      type,
      Object.assign({}, ...machines.map(triggersOfMachine), more[type]) as TriggerConditions,
    ]),
  ),
  transactions: ofTransactions,
})

export const renderTriggers = (): string => `${JSON.stringify(publishedTriggers(), null, 2)}\n`

if (import.meta.main) await writeFile(triggersPath, renderTriggers())
