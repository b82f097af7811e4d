/** Sections of an order's screen that only show. */
import { Link } from '@tanstack/react-router'
import { formatTime } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import type { OrderEvents, OrderWithParts } from './read-order.ts'

interface OfOrder {
  readonly order: OrderWithParts
}

const dateOf = (time: string | null | undefined): string | undefined =>
  time === null || time === undefined ? undefined : formatTime(time)

const customerOf = ({ customer }: OrderWithParts) =>
  customer === null || customer === undefined ? undefined : (
    <Link
      to="/records/$type/$id"
      params={{ type: 'customers', id: customer.id }}
      className="underline underline-offset-2"
    >
      {customer.email}
    </Link>
  )

export const Facts = ({ order }: OfOrder) => {
  const facts = [
    [t('Id'), order.id],
    [t('Market'), order.market?.name],
    [t('Store'), order.store?.name],
    [t('Customer'), customerOf(order)],
    [t('Payment method'), order.payment_method?.name],
    [t('Coupon code'), order.coupon_code],
    [t('Approved'), dateOf(order.approved_at)],
    [t('Cancelled'), dateOf(order.cancelled_at)],
    [t('Record reference'), order.reference],
    [t('Updated'), formatTime(order.updated_at)],
  ] as const
  return (
    <Section title={t('Facts')}>
      <dl className="card grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        {facts
          .filter(([, value]) => value !== null && value !== undefined)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="break-all">{value}</dd>
            </div>
          ))}
      </dl>
    </Section>
  )
}

export const Address = ({
  title,
  address,
}: {
  readonly title: string
  readonly address: OrderWithParts['billing_address']
}) =>
  address === null || address === undefined ? null : (
    <Section title={title}>
      <address className="card break-words not-italic">
        {[
          address.full_name,
          address.line_1,
          address.line_2,
          [address.zip_code, address.city].filter(Boolean).join(' '),
          address.country_code,
          address.phone,
        ]
          .filter(Boolean)
          .map((line) => (
            <span key={line} className="block">
              {/* A phone number is written from the left in every language. */}
              <bdi>{line}</bdi>
            </span>
          ))}
      </address>
    </Section>
  )

export const Events = ({
  events,
  error,
}: {
  readonly events: readonly OrderEvents[number][]
  readonly error: unknown
}) => (
  <Section title={t('Events')}>
    {error === null ? null : <Problems error={error} />}
    {events.length === 0 ? (
      <p className="card">{t('Nothing has happened yet, or only before events were kept.')}</p>
    ) : (
      <ol className="card flex flex-col gap-2">
        {events.map((event) => (
          <li key={event.id}>
            <span className="block">{labelOf(event.name.replace(/^\w+\./, ''))}</span>
            <span className="block text-sm text-soft">{formatTime(event.created_at)}</span>
          </li>
        ))}
      </ol>
    )}
  </Section>
)
