/** What a copy orders: the articles of its source order, or the items of its subscription, with the choices made for them. */
import type { Row } from '@merx/jsonapi/attributes'
import type { RowOf } from '../../engine/database/rows.ts'
import { numberOf } from '../../engine/write/persist.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { createAsShop } from './shop-writes.ts'
import type { Sent } from './shop-writes.ts'

export interface Article {
  /** What errors are logged under. */
  readonly key: string
  readonly line: Sent
  /** The line whose options are chosen again. */
  readonly optionsOf: number | null
}

type Step = ReactionStep

/** The order makes its other lines itself; what a gift card paid is not paid again. A line without an item is a name and an amount. */
const LINES = `SELECT * FROM line_items WHERE environment_id = $1 AND order_id = $2
  AND (item_type IS NULL OR item_type IN ('skus', 'bundles', 'gift_cards', 'adjustments'))
  AND NOT (item_type IS NOT DISTINCT FROM 'gift_cards' AND unit_amount_cents < 0) ORDER BY id`

const ITEMS =
  'SELECT * FROM order_subscription_items WHERE environment_id = $1 AND order_subscription_id = $2 ORDER BY id'

const OPTIONS = 'SELECT * FROM line_item_options WHERE environment_id = $1 AND line_item_id = $2 ORDER BY id'

export const articlesOfOrder = async (
  order: number,
  { run, registry, scope }: Step,
): Promise<readonly Article[]> => {
  const lines = await run<RowOf<'LineItem'>>({ text: LINES, values: [scope.environmentId, order] })
  return lines.map((line) => ({
    key: `line_items.${registry.ids.encode('line_items', line.id)}`,
    optionsOf: line.id,
    line: {
      ...itemOf(line),
      attributes: {
        quantity: line.quantity,
        metadata: line.metadata,
        ...(line.item_type === null ? { name: line.name } : {}),
        ...(hasAmount(line) ? { unit_amount_cents: line.unit_amount_cents } : {}),
      },
    },
  }))
}

/** An amount that was given stays; a price is that of now. */
const hasAmount = ({ item_type: type, has_own_amount: isOwn }: RowOf<'LineItem'>): boolean =>
  type === null || (type !== 'adjustments' && isOwn)

const itemOf = ({
  item_type: type,
  item_id: number,
}: Pick<RowOf<'LineItem'>, 'item_type' | 'item_id'>): Sent =>
  type === null ? {} : { links: { item: [type, number] } }

export const articlesOfSubscription = async (
  subscription: number,
  { run, registry, scope }: Step,
): Promise<readonly Article[]> => {
  const values = [scope.environmentId, subscription]
  const items = await run<RowOf<'OrderSubscriptionItem'>>({ text: ITEMS, values })
  return items.map((item) => ({
    key: `order_subscription_items.${registry.ids.encode('order_subscription_items', item.id)}`,
    optionsOf: item.source_line_item_id,
    line: {
      ...itemOf(item),
      attributes: {
        quantity: item.quantity,
        ...(item.has_own_amount && item.item_type !== 'adjustments'
          ? { unit_amount_cents: item.unit_amount_cents }
          : {}),
      },
    },
  }))
}

/** Adds the article to the order. Throws what a request for the same line would be refused with. */
export const addArticle = async (order: number, { line, optionsOf }: Article, step: Step): Promise<void> => {
  const links = { ...line.links, order: ['orders', order] } as const
  const added = await createAsShop('line_items', { ...line, links }, step)
  for (const option of await optionsOfLine(optionsOf, step))
    await createAsShop(
      'line_item_options',
      {
        attributes: { name: option.name, quantity: option.quantity, options: option.options },
        links: {
          line_item: ['line_items', numberOf(added)],
          sku_option: ['sku_options', option.sku_option_id],
        },
      },
      step,
    )
}

const optionsOfLine = async (
  line: number | null,
  { run, scope }: Step,
): Promise<readonly (RowOf<'LineItemOption'> & Row)[]> =>
  line === null ? [] : run<RowOf<'LineItemOption'>>({ text: OPTIONS, values: [scope.environmentId, line] })
