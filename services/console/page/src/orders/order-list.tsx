/** The orders: filters, a search, pages. The address holds all of it, so that it can be shared. */
import { orders } from '@commercelayer/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { formatCents, formatCount, formatTime } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { FILTER_NAMES, FILTERS, toFilters, type FilterName, type OrderSearch } from './order-search.ts'

const PAGE_SIZE = 25

const listOrders = (search: OrderSearch) =>
  orders.list({
    filters: toFilters(search),
    sort: { created_at: 'desc' },
    pageNumber: search.page ?? 1,
    pageSize: PAGE_SIZE,
    fields: {
      orders: [
        ...(['number', 'status', 'payment_status', 'fulfillment_status', 'customer_email'] as const),
        ...(['total_amount_with_taxes_cents', 'currency_code', 'placed_at', 'created_at'] as const),
      ],
    },
  })

type OrderRow = Awaited<ReturnType<typeof listOrders>>[number]

const Filters = ({ search }: { readonly search: OrderSearch }) => {
  const navigate = useNavigate({ from: '/orders' })
  const text = useRef<HTMLInputElement>(null)
  const change = (name: FilterName | 'text', value: string) => {
    const { page: _first, [name]: _before, ...others } = search
    void navigate({ search: value === '' ? others : { ...others, [name]: value } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change('text', text.current?.value.trim() ?? '')
  }
  return (
    <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-soft">
        Number or email
        <input ref={text} type="search" defaultValue={search.text ?? ''} className="control w-72" />
      </label>
      {FILTER_NAMES.map((name) => (
        <div key={name} className="flex flex-col gap-1 text-sm text-soft">
          <label htmlFor={name}>{labelOf(name)}</label>
          <select
            id={name}
            className="control"
            value={search[name] ?? ''}
            onChange={({ target }) => change(name, target.value)}
          >
            <option value="">Any</option>
            {FILTERS[name].map((value) => (
              <option key={value} value={value}>
                {labelOf(value)}
              </option>
            ))}
          </select>
        </div>
      ))}
      <button type="submit" className="button">
        Search
      </button>
    </form>
  )
}

const Row = ({ order }: { readonly order: OrderRow }) => (
  <tr>
    <td>
      <Link to="/orders/$id" params={{ id: order.id }} className="font-semibold underline underline-offset-2">
        {order.number ?? order.id}
      </Link>
    </td>
    <td>{formatTime(order.placed_at ?? order.created_at)}</td>
    <td className="break-all">{order.customer_email}</td>
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

const HEADS = ['Order', 'Placed', 'Customer', 'Status', 'Payment', 'Fulfillment'] as const

const Table = ({ rows }: { readonly rows: readonly OrderRow[] }) => (
  <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label="Orders">
    <table className="cells w-full border-collapse">
      <thead>
        <tr>
          {HEADS.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
          <th scope="col" className="number">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((order) => (
          <Row key={order.id} order={order} />
        ))}
      </tbody>
    </table>
  </div>
)

export const OrderList = () => {
  const search = useSearch({ from: '/orders' })
  const { data, error } = useQuery({
    queryKey: ['orders', search],
    queryFn: () => listOrders(search),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-2xl font-semibold tracking-tight">Orders</h1>
      <Filters key={search.text ?? ''} search={search} />
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of="orders" /> : null}
      {data === undefined ? null : (
        <>
          <p className="text-soft" role="status">
            {formatCount(data.recordCount)} {data.recordCount === 1 ? 'order' : 'orders'}
          </p>
          {data.length === 0 ? (
            <p className="card">
              No order matches. Take a filter away, or place an order: docs/how-to/sell.md says how.
            </p>
          ) : (
            <Table rows={data} />
          )}
          <Pages
            page={search.page ?? 1}
            pageCount={data.pageCount}
            linkTo={(to, label) => (
              <Link to="/orders" search={{ ...search, page: to }} className="button">
                {label}
              </Link>
            )}
          />
        </>
      )}
    </div>
  )
}
