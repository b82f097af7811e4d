/** How transitions of subscriptions and of their copies are taken, where no trigger takes them. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { runCopy } from '../../../src/subscriptions/jobs/run-copy.ts'
import { runDue } from '../../../src/subscriptions/jobs/run-due.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { runNow } from '../support/run-now.ts'
import { BY_COPY, BY_EMPTY_ORDER, BY_FAILING_COPY, BY_SCHEDULE, BY_SUBSCRIPTION } from './transition-paths.ts'

/** Placed, of a customer, with a SKU that is in stock; and one without any line. */
const SOURCE = 3
const EMPTY = 5

type Post = (type: string, attributes: Body, relationships: Body) => Promise<string>

export const subscriptionRecords = (core: () => TestCore, post: Post) => {
  const run = (text: string, values: readonly unknown[] = []) =>
    core().pool.query<{ id: string }>(text, [...values])

  const subscription = (): Promise<string> =>
    post(
      'order_subscriptions',
      { frequency: 'monthly', activate_by_source_order: false, starts_at: '2031-01-31T00:00:00Z' },
      { source_order: one('orders', SOURCE) },
    )

  /** It orders its items by itself, and has none. */
  const automatic = async (): Promise<string> => {
    const id = await subscription()
    const model = await post('subscription_models', { name: 'Coffee', frequencies: ['monthly'] }, {})
    await run('UPDATE order_subscriptions SET subscription_model_id = $1', [
      decodeId('subscription_models', model),
    ])
    return id
  }

  /** A run that waits for its copy. */
  const copyOfRun = async (number: number, source: number): Promise<() => Promise<void>> => {
    const { rows } = await run(
      `INSERT INTO order_factories (environment_id, type, source_order_id, order_subscription_id, due_at)
        VALUES (1, 'order_copies', $1, $2, now()) RETURNING id`,
      [source, number],
    )
    return () => runNow(core(), runCopy, { environmentId: 1, id: Number(rows[0]?.id) })
  }

  const ofSubscription = async (copy: number): Promise<() => Promise<unknown>> => {
    const id = await subscription()
    await run('UPDATE order_factories SET order_subscription_id = $1 WHERE id = $2', [
      decodeId('order_subscriptions', id),
      copy,
    ])
    return () =>
      core().send('PATCH', `/api/order_subscriptions/${id}`, core().tokens.admin, {
        data: { type: 'order_subscriptions', id, attributes: { _cancel: true } },
      })
  }

  return {
    makers: {
      order_subscriptions: subscription,
      order_copies: () => post('order_copies', {}, { source_order: one('orders', SOURCE) }),
      recurring_order_copies: async () =>
        post(
          'recurring_order_copies',
          {},
          {
            source_order: one('orders', SOURCE),
            order_subscription: linkTo('order_subscriptions', await automatic()),
          },
        ),
    } satisfies Readonly<Record<string, () => Promise<string>>>,

    /** What takes the transition of a record that is in its first state; undefined when it goes another way. */
    wayOf: async (
      way: string,
      { transition, number }: { readonly transition: string; readonly number: number },
    ): Promise<(() => Promise<unknown>) | undefined> => {
      switch (way) {
        case BY_SCHEDULE:
          await run(`UPDATE order_subscriptions SET next_run_at = '2020-01-01' WHERE id = $1`, [number])
          return () => runNow(core(), runDue)
        case BY_COPY:
          return copyOfRun(number, SOURCE)
        case BY_FAILING_COPY:
          return copyOfRun(number, EMPTY)
        case BY_SUBSCRIPTION:
          return ofSubscription(number)
        case BY_EMPTY_ORDER:
          return () => core().jobs.runUntilIdle()
        default:
          if (transition === 'complete')
            await run('UPDATE order_factories SET target_order_id = 1 WHERE id = $1', [number])
          return undefined
      }
    },
  }
}

/** Types that share a table, and so their ids. */
export const familyOf = (type: string): string =>
  type === 'order_copies' || type === 'recurring_order_copies' ? 'order_factories' : type

export const idOf = (type: string, number: number): string => encodeId(familyOf(type), number)
export const numberOf = (type: string, id: string): number => decodeId(familyOf(type), id) ?? 0
