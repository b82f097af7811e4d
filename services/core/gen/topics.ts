/** Writes docs/reference/topics.md from the areas: `node services/core/gen/topics.ts`. */
import { writeFile } from 'node:fs/promises'
import { areas, stateMachines } from '../src/areas.ts'
import { TRACKING_STATUSES } from '../src/shipping/parcel-workflow.ts'

/** Where the page is. */
export const topicsPath = new URL('../../../docs/reference/topics.md', import.meta.url)

const TESTS = {
  transition: 'test/http/states/every-transition.long.test.ts',
  other: 'test/http/events/every-topic.test.ts',
} as const

/** Event, for every type or of one → when it happens. */
const WHEN: Readonly<Record<string, string>> = {
  create: 'one is made, by a request or by the service itself',
  destroy: 'one is deleted',
  tagged: 'its tags changed',
  'customers.acquired': 'the first order of the customer was placed',
  'customers.repeat': 'a further order of the customer was placed',
  'customers.create_password': 'the customer got a first password',
  'customers.metadata_update': 'its metadata changed',
  'customer_password_resets.reset_password': 'the password was set with its token',
  'orders.rebuild_shipments': 'its shipments were planned again and are others',
  'orders.create_subscriptions': '`_create_subscriptions` made its subscriptions',
  'orders.cancel_subscriptions':
    'it was cancelled, and its subscriptions with it (`auto_cancel` of their model)',
  'order_subscriptions.renewal': 'the next run is `renewal_alert_period` hours away',
  'orders.tax_calculation_failed': 'the external tax calculator gave no answer that counts',
  'returns.restock': 'goods of it are in stock again',
  'gift_cards.use': 'a placed order took something from it',
  'price_list_schedulers.activated': 'it became active: by its dates within a minute, or by a write at once',
  'price_list_schedulers.expired': 'its time is over, whether it was active or nobody swept in time',
  'transactions.refused': 'a gateway did not move the money',
  succeeded: 'the money was moved',
  failed: 'the money was not moved',
}

const transitionsOf = (topic: string): readonly string[] =>
  Object.values(stateMachines).flatMap((machines) =>
    machines.flatMap(({ column, transitions }) =>
      Object.values(transitions)
        .filter((transition) => transition.topic === topic)
        .map(
          ({ from, to }) =>
            `\`${column}\` from ${from.map((state) => `\`${state}\``).join(', ')} to \`${to}\``,
        ),
    ),
  )

/** Throws Error for a topic that nothing here explains. */
const rowOf = (type: string, event: string): string => {
  const topic = `${type}.${event}`
  const moves = transitionsOf(topic)
  if (moves.length > 0) return `| \`${topic}\` | ${moves.join('; ')} | \`${TESTS.transition}\` |`
  const isTracking = type === 'parcels' && TRACKING_STATUSES.some((status) => status === event)
  const when = isTracking ? `\`tracking_status\` became \`${event}\`` : (WHEN[topic] ?? WHEN[event])
  if (when === undefined) throw new Error(`say in services/core/gen/topics.ts when ${topic} happens`)
  return `| \`${topic}\` | ${when} | \`${TESTS.other}\` |`
}

/** The whole page as Markdown. */
export const renderTopics = (): string =>
  [
    '# Topics',
    '',
    'What webhooks, the event stream and `events` of a record can tell, generated from the areas in `services/core/src/` by',
    'services/core/gen/topics.ts; do not edit. How to get them: [receive webhooks](../how-to/receive-webhooks.md),',
    '[follow events](../how-to/follow-events.md). Webhooks hear of what an import writes for ten topics of orders only, unless a setting says so; the first page names them.',
    'Tests are in `services/core/`.',
    '',
    '| Topic | When | Test |',
    '|---|---|---|',
    ...areas
      .flatMap(({ topics = {} }) => Object.entries(topics))
      .flatMap(([type, events]) => events.map((event) => rowOf(type, event))),
    '',
  ].join('\n')

if (import.meta.main) await writeFile(topicsPath, renderTopics())
