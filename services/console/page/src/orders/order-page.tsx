/** One order: what it holds, what it costs, where it stands, and what can be done with it now. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { readTokenInformation } from '../data/api.ts'
import { formatTime } from '../data/format.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { TriggerButtons } from '../parts/trigger-buttons.tsx'
import { Address, Events, Facts, Lines, Payments } from './order-parts.tsx'
import {
  readEvents,
  readOrder,
  startShipmentTrigger,
  startTrigger,
  type OrderWithParts,
} from './read-order.ts'

const REFRESH_MS = 5_000

/** A role that may not change a type is shown no button of it. */
const useMayUpdate = (type: string): boolean => {
  const { data } = useQuery({ queryKey: ['token'], queryFn: readTokenInformation, staleTime: 60_000 })
  return data?.permissions?.[type]?.actions.includes('update') === true
}

/** Starts a trigger, and reads everything again whatever came of it. */
const useTrigger = (start: (trigger: string) => Promise<unknown>) => {
  const queries = useQueryClient()
  return useMutation({ mutationFn: start, onSettled: () => queries.invalidateQueries() })
}

type ShipmentOfOrder = NonNullable<OrderWithParts['shipments']>[number]

const ShipmentCard = ({ shipment }: { readonly shipment: ShipmentOfOrder }) => {
  const mayUpdate = useMayUpdate('shipments')
  const trigger = useTrigger((name) => startShipmentTrigger(shipment.id, name))
  const name = `shipment ${shipment.number}`
  return (
    <li className="card flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-3">
        <strong>{shipment.number}</strong> <State state={shipment.status} />
        <span className="text-soft">{shipment.shipping_method?.name}</span>
      </p>
      {mayUpdate ? (
        <TriggerButtons
          {...{ type: 'shipments', record: shipment, name, isBusy: trigger.isPending, error: trigger.error }}
          onTrigger={trigger.mutate}
        />
      ) : null}
    </li>
  )
}

const Head = ({ order }: { readonly order: OrderWithParts }) => {
  const mayUpdate = useMayUpdate('orders')
  const trigger = useTrigger((name) => startTrigger(order.id, name))
  const name = `order ${order.number ?? order.id}`
  return (
    <header className="flex flex-col gap-3">
      <p>
        <Link to="/orders" className="underline underline-offset-2">
          Orders
        </Link>
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">Order {order.number ?? order.id}</h1>
        <State state={order.status} />
        <State state={order.payment_status} />
        <State state={order.fulfillment_status} />
      </div>
      <p className="text-soft">
        {order.customer_email} · {order.market?.name} · placed {formatTime(order.placed_at)}
      </p>
      {mayUpdate ? (
        <TriggerButtons
          {...{ type: 'orders', record: order, name, isBusy: trigger.isPending, error: trigger.error }}
          onTrigger={trigger.mutate}
        />
      ) : null}
    </header>
  )
}

const Shipments = ({ order }: { readonly order: OrderWithParts }) => (
  <section aria-labelledby="shipments" className="flex flex-col gap-3">
    <h2 id="shipments" className="text-lg font-semibold">
      Shipments
    </h2>
    {(order.shipments ?? []).length === 0 ? (
      <p className="card">Nothing is shipped, or shipments are planned when the order gets its address.</p>
    ) : (
      <ul className="flex flex-col gap-3">
        {order.shipments?.map((shipment) => (
          <ShipmentCard key={shipment.id} shipment={shipment} />
        ))}
      </ul>
    )}
  </section>
)

export const OrderPage = () => {
  const { id } = useParams({ from: '/orders/$id' })
  const { data: order, error } = useQuery({
    queryKey: ['order', id],
    queryFn: () => readOrder(id),
    refetchInterval: REFRESH_MS,
  })
  const events = useQuery({
    queryKey: ['order-events', id],
    queryFn: () => readEvents(id),
    refetchInterval: REFRESH_MS,
  })
  if (order === undefined) return error === null ? <Loading of="the order" /> : <Problems error={error} />
  return (
    <div className="flex flex-col gap-6">
      <Head order={order} />
      {error === null ? null : <Problems error={error} />}
      <div className="grid gap-6 lg:grid-cols-3">
        <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
          <Lines order={order} />
          <Shipments order={order} />
          <Payments order={order} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Facts order={order} />
          <Address title="Billing address" address={order.billing_address} />
          <Address title="Shipping address" address={order.shipping_address} />
          <Events events={events.data ?? []} error={events.error} />
        </div>
      </div>
    </div>
  )
}
