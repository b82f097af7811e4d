/** Orders as rows, with a box to choose each where the user may change them. */
import { Link } from '@tanstack/react-router'
import { formatCents, formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { State } from '../parts/state.tsx'
import { nameOfOrder, type OrderRow } from './list-orders.ts'

export interface Choice {
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (ids: ReadonlySet<string>) => void
}

interface RowProps {
  readonly order: OrderRow
  readonly choice: Choice | undefined
}

const toggled = (chosen: ReadonlySet<string>, id: string): ReadonlySet<string> => {
  const ids = new Set(chosen)
  if (!ids.delete(id)) ids.add(id)
  return ids
}

const Row = ({ order, choice }: RowProps) => (
  <tr>
    {choice === undefined ? null : (
      <td>
        <input
          type="checkbox"
          aria-label={t('Choose order {number}', { number: nameOfOrder(order) })}
          checked={choice.chosen.has(order.id)}
          onChange={() => choice.onChoose(toggled(choice.chosen, order.id))}
        />
      </td>
    )}
    <td>
      <Link to="/orders/$id" params={{ id: order.id }} className="font-semibold underline underline-offset-2">
        {nameOfOrder(order)}
      </Link>
      {order.archived_at === null || order.archived_at === undefined ? null : (
        <span className="block text-sm text-soft">{t('Archived')}</span>
      )}
    </td>
    <td>{formatTime(order.placed_at ?? order.created_at)}</td>
    <td className="min-w-44 wrap-anywhere">{order.customer_email}</td>
    <td>
      <State state={order.status} />
    </td>
    <td>
      <State state={order.payment_status} />
    </td>
    <td>
      <State state={order.fulfillment_status} />
    </td>
    <td className="number">{formatCents(order.total_amount_with_taxes_cents, order.currency_code)}</td>
  </tr>
)

const heads = (): readonly string[] => [
  ...[t('Order'), t('Placed'), t('Customer'), t('State'), t('Payment'), t('Fulfillment')],
]

interface TableProps {
  readonly rows: readonly OrderRow[]
  /** Undefined for who may not change orders. */
  readonly choice: Choice | undefined
}

const ChooseAll = ({ rows, choice: { chosen, onChoose } }: TableProps & { readonly choice: Choice }) => {
  const isAll = rows.every(({ id }) => chosen.has(id))
  return (
    <th scope="col">
      <input
        type="checkbox"
        aria-label={t('Choose all orders of this page')}
        checked={isAll}
        onChange={() => onChoose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
    </th>
  )
}

export const OrderTable = ({ rows, choice }: TableProps) => (
  <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label={t('Orders')}>
    <table className="cells w-full border-collapse">
      <thead>
        <tr>
          {choice === undefined ? null : <ChooseAll rows={rows} choice={choice} />}
          {heads().map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col" className="number">
            {t('Total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((order) => (
          <Row key={order.id} order={order} choice={choice} />
        ))}
      </tbody>
    </table>
  </div>
)
