/** What an import tells webhooks: nothing but what the status of an order says, unless the shop wants to hear of all. */
const TOPICS_OF_IMPORTS: readonly string[] = [
  'orders.place',
  'orders.approve',
  'orders.cancel',
  'orders.authorize',
  'orders.void',
  'orders.pay',
  'orders.refund',
  'orders.start_fulfilling',
  'orders.cancel_fulfilling',
  'orders.fulfill',
]

const LIST = TOPICS_OF_IMPORTS.map((topic) => `'${topic}'`).join(', ')

/** SQL of a row `event`: webhooks are called for it. `imports_trigger_webhooks` is a setting of the organization and mode. */
export const IS_DELIVERED_OF_IMPORTS = `(NOT event.is_imported OR event.name IN (${LIST})
  OR EXISTS (SELECT FROM environments
    WHERE environments.id = event.environment_id AND environments.settings -> 'imports_trigger_webhooks' = 'true'))`
