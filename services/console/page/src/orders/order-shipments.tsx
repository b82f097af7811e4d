/** The shipments of an order: what is in each, where it leaves from, its parcels, and what can be done with it now. */
import { Link } from '@tanstack/react-router'
import { useMay } from '../data/permissions.ts'
import { triggersOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state.tsx'
import { TriggerButtons } from '../parts/trigger-buttons.tsx'
import { startShipmentTrigger, type OrderWithParts, type ShipmentOfOrder } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

/** A transfer that has ended takes no trigger. */
export const openTransfers = ({ stock_transfers: transfers }: ShipmentOfOrder) =>
  (transfers ?? []).filter((transfer) => triggersOf('stock_transfers', transfer).length > 0)

/** Goods that are still elsewhere are not picked. */
const triggersOfShipment = (shipment: ShipmentOfOrder): readonly string[] =>
  triggersOf('shipments', shipment).filter(
    (trigger) => trigger !== '_picking' || openTransfers(shipment).length === 0,
  )

const Content = ({ shipment }: { readonly shipment: ShipmentOfOrder }) => (
  <ul className="flex flex-col gap-1">
    {shipment.stock_line_items?.map((item) => (
      <li key={item.id}>
        {item.quantity} × <bdi className="wrap-anywhere">{item.sku_code}</bdi>
      </li>
    ))}
    {openTransfers(shipment).map((transfer) => (
      <li key={transfer.id}>
        <Link
          to="/records/$type/$id"
          params={{ type: 'stock_transfers', id: transfer.id }}
          className="underline underline-offset-2"
        >
          {t('Waits for transfer {number}', { number: transfer.number ?? transfer.id })}
        </Link>{' '}
        <State state={transfer.status} />
      </li>
    ))}
    {shipment.parcels?.map((parcel) => (
      <li key={parcel.id}>
        <Link
          to="/records/$type/$id"
          params={{ type: 'parcels', id: parcel.id }}
          className="underline underline-offset-2"
        >
          {t('Parcel {number}', { number: parcel.number ?? parcel.id })}
        </Link>{' '}
        <span className="text-soft">{parcel.tracking_number}</span>
      </li>
    ))}
  </ul>
)

const ShipmentCard = ({ shipment }: { readonly shipment: ShipmentOfOrder }) => {
  const mayUpdate = useMay()('update', 'shipments')
  const { mutate, isPending, error } = useOrderWrite()
  const name = t('shipment {number}', { number: shipment.number })
  return (
    <li className="card flex flex-col gap-3">
      <p className="flex flex-wrap items-center gap-3">
        <Link
          to="/records/$type/$id"
          params={{ type: 'shipments', id: shipment.id }}
          className="font-semibold underline underline-offset-2"
        >
          <bdi>{shipment.number}</bdi>
        </Link>
        <State state={shipment.status} />
        <span className="text-soft">
          {[shipment.shipping_method?.name, shipment.stock_location?.name].filter(Boolean).join(' · ')}
        </span>
      </p>
      <Content shipment={shipment} />
      {mayUpdate ? (
        <TriggerButtons
          {...{ triggers: triggersOfShipment(shipment), name, isBusy: isPending, error }}
          onTrigger={(trigger) => mutate(() => startShipmentTrigger(shipment.id, trigger))}
        />
      ) : null}
    </li>
  )
}

export const Shipments = ({ order }: { readonly order: OrderWithParts }) => (
  <Section title={t('Shipments')}>
    {(order.shipments ?? []).length === 0 ? (
      <p className="card">
        {t('Nothing is shipped, or shipments are planned when the order gets its address.')}
      </p>
    ) : (
      <ul className="flex flex-col gap-3">
        {order.shipments?.map((shipment) => (
          <ShipmentCard key={shipment.id} shipment={shipment} />
        ))}
      </ul>
    )}
  </Section>
)
