/** One order: what it holds, what it costs, where it stands, and what can be done with it now. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { formatTime } from '../data/format.ts'
import { useMay, useTokenInformation } from '../data/permissions.ts'
import { triggersOfOrder } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { TriggerButtons } from '../parts/trigger-buttons.tsx'
import { nameOfOrder } from './list-orders.ts'
import { Lines } from './order-lines.tsx'
import { Metadata } from './order-metadata.tsx'
import { Notes } from './order-notes.tsx'
import { Address, Events, Facts } from './order-parts.tsx'
import { Payments } from './order-payments.tsx'
import { openTransfers, Shipments } from './order-shipments.tsx'
import { Tags } from './order-tags.tsx'
import { readEvents, readOrder, startTrigger, type OrderWithParts } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

const REFRESH_MS = 5_000
const LINK = 'underline underline-offset-2'

interface OfOrder {
  readonly order: OrderWithParts
}

/** Goods that are still elsewhere have not left: core does not take the order for fulfilled. */
const triggersOf = (order: OrderWithParts): readonly string[] => {
  const isWaiting = (order.shipments ?? []).some((shipment) => openTransfers(shipment).length > 0)
  return triggersOfOrder(order).filter((trigger) => trigger !== '_fulfill' || !isWaiting)
}

const Actions = ({ order }: OfOrder) => {
  const { mutate, isPending, error } = useOrderWrite()
  const name = t('order {number}', { number: nameOfOrder(order) })
  return (
    <TriggerButtons
      {...{ triggers: triggersOf(order), name, isBusy: isPending, error }}
      onTrigger={(trigger) => mutate(() => startTrigger(order.id, trigger))}
    />
  )
}

const Head = ({ order }: OfOrder) => {
  const mayUpdate = useMay()('update', 'orders')
  const record = { type: 'orders', id: order.id }
  return (
    <header className="flex flex-col gap-3">
      <p className="flex flex-wrap gap-4">
        <Link to="/orders" className={LINK}>
          {t('Orders')}
        </Link>
        <Link to="/records/$type/$id" params={record} className={LINK}>
          {t('All attributes')}
        </Link>
        {mayUpdate ? (
          <Link to="/records/$type/$id/edit" params={record} className={LINK}>
            {t('Change attributes')}
          </Link>
        ) : null}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">
          {t('Order {number}', { number: nameOfOrder(order) })}
        </h1>
        <State state={order.status} />
        <State state={order.payment_status} />
        <State state={order.fulfillment_status} />
        {order.archived_at === null || order.archived_at === undefined ? null : (
          <span className="text-soft">{t('Archived')}</span>
        )}
      </div>
      <p className="text-soft">
        {[order.customer_email, order.market?.name, t('placed {when}', { when: formatTime(order.placed_at) })]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {mayUpdate ? <Actions order={order} /> : null}
    </header>
  )
}

const Timeline = ({ order }: OfOrder) => {
  const { data, error } = useQuery({
    queryKey: ['order-events', order.id],
    queryFn: () => readEvents(order.id),
    refetchInterval: REFRESH_MS,
  })
  return <Events events={data ?? []} error={error} />
}

/** What the role may not read is not asked for, and not shown as if there were none. */
const Parts = ({ order }: OfOrder) => {
  const may = useMay()
  const mayRead = (type: string) => may('read', type)
  return (
    <div className="grid gap-6 lg:grid-cols-3">
      <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
        {mayRead('line_items') ? <Lines order={order} /> : null}
        {mayRead('shipments') ? <Shipments order={order} /> : null}
        {mayRead('transactions') ? <Payments order={order} /> : null}
        {mayRead('attachments') ? <Notes order={order} /> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Facts order={order} />
        <Address title={t('Billing address')} address={order.billing_address} />
        <Address title={t('Shipping address')} address={order.shipping_address} />
        {mayRead('tags') ? <Tags order={order} /> : null}
        <Metadata order={order} />
        {mayRead('events') ? <Timeline order={order} /> : null}
      </div>
    </div>
  )
}

export const OrderPage = () => {
  const { id } = useParams({ from: '/orders/$id' })
  const token = useTokenInformation()
  const may = useMay()
  const { data: order, error } = useQuery({
    queryKey: ['order', id],
    queryFn: () => readOrder(id, may),
    refetchInterval: REFRESH_MS,
    // What may be read is known then.
    enabled: token.data !== undefined,
  })
  const refused = error ?? token.error
  if (order === undefined)
    return refused === null ? <Loading of={t('the order')} /> : <Problems error={refused} />
  return (
    <div className="flex flex-col gap-6">
      <Head order={order} />
      {error === null ? null : <Problems error={error} />}
      <Parts order={order} />
    </div>
  )
}
