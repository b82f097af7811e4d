/** Sections of an order's screen that only show. */
import type { ReactNode } from 'react'
import { formatCents, formatTime } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { Problems } from '../parts/problems.tsx'
import { amountTable } from './amounts.ts'
import type { OrderWithParts, readEvents } from './read-order.ts'

interface OfOrder {
  readonly order: OrderWithParts
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => {
  const id = title.toLowerCase().replaceAll(' ', '-')
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** What is bought; shipping and payment are amounts below. */
const isArticle = (type: string | null | undefined): boolean => type === 'skus' || type === 'bundles'

/** An order without a market has none yet. */
const currencyOf = (order: OrderWithParts): string | null | undefined => order.currency_code

const Totals = ({ order }: OfOrder) => {
  const table = amountTable(order)
  const cents = (value: number) => formatCents(value, currencyOf(order))
  return (
    <tfoot>
      {table.rows.map(({ label, cents: value }) => (
        <tr key={label}>
          <th scope="row" colSpan={3}>
            {label}
          </th>
          <td className="number">{cents(value)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row" colSpan={3} className="text-text">
          Total
        </th>
        <td className="number font-semibold">{cents(table.totalCents)}</td>
      </tr>
      {table.includedTaxCents === undefined ? null : (
        <tr>
          <th scope="row" colSpan={3}>
            Taxes in it
          </th>
          <td className="number text-soft">{cents(table.includedTaxCents)}</td>
        </tr>
      )}
      {table.differenceCents === 0 ? null : (
        <tr>
          <th scope="row" colSpan={3} className="text-bad">
            These amounts do not add up: the total is off by
          </th>
          <td className="number text-bad">{cents(table.differenceCents)}</td>
        </tr>
      )}
    </tfoot>
  )
}

export const Lines = ({ order }: OfOrder) => {
  const cents = (value: number | null | undefined) => formatCents(value, currencyOf(order))
  return (
    <Section title="Lines">
      <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label="Lines of the order">
        <table className="cells w-full border-collapse">
          <thead>
            <tr>
              <th scope="col">Article</th>
              <th scope="col" className="number">
                Quantity
              </th>
              <th scope="col" className="number">
                Each
              </th>
              <th scope="col" className="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {(order.line_items ?? [])
              .filter(({ item_type: type }) => isArticle(type))
              .map((line) => (
                <tr key={line.id}>
                  <td>
                    {line.name}{' '}
                    <span className="block text-sm text-soft">{line.sku_code ?? line.bundle_code}</span>
                  </td>
                  <td className="number">{line.quantity}</td>
                  <td className="number">{cents(line.unit_amount_cents)}</td>
                  <td className="number">{cents(line.total_amount_cents)}</td>
                </tr>
              ))}
          </tbody>
          <Totals order={order} />
        </table>
      </div>
    </Section>
  )
}

export const Payments = ({ order }: OfOrder) => (
  <Section title="Payments">
    {(order.transactions ?? []).length === 0 ? (
      <p className="card">No transaction is recorded.</p>
    ) : (
      <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label="Transactions">
        <table className="cells w-full border-collapse">
          <thead>
            <tr>
              <th scope="col">Transaction</th>
              <th scope="col">When</th>
              <th scope="col">Outcome</th>
              <th scope="col" className="number">
                Amount
              </th>
            </tr>
          </thead>
          <tbody>
            {order.transactions?.map((transaction) => (
              <tr key={transaction.id}>
                <td>{labelOf(transaction.type)}</td>
                <td>{formatTime(transaction.created_at)}</td>
                <td>{transaction.succeeded ? 'Succeeded' : (transaction.message ?? 'Not done')}</td>
                <td className="number">{formatCents(transaction.amount_cents, currencyOf(order))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </Section>
)

export const Facts = ({ order }: OfOrder) => {
  const facts = [
    ['Id', order.id],
    ['Payment method', order.payment_method?.name],
    ['Reference', order.reference],
    ['Updated', formatTime(order.updated_at)],
  ] as const
  return (
    <Section title="Facts">
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
              {line}
            </span>
          ))}
      </address>
    </Section>
  )

type OrderEvents = Awaited<ReturnType<typeof readEvents>>

export const Events = ({
  events,
  error,
}: {
  readonly events: readonly OrderEvents[number][]
  readonly error: unknown
}) => (
  <Section title="Events">
    {error === null ? null : <Problems error={error} />}
    {events.length === 0 ? (
      <p className="card">Nothing has happened yet, or only before events were kept.</p>
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
