/** Home: what is sold today, against yesterday until the same time, and the orders that wait for somebody. */
import { orders } from '@commercelayer/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatAmount, formatChange, formatCount } from '../data/format.ts'
import type { OrderSearch } from '../orders/order-search.ts'
import { toFilters } from '../orders/order-search.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { DAYS, dayBefore, readCurrencies, readCurve, readSales, today, type Sales } from './sales.ts'

/** Metrics hold an order within a second of its change; the budgets of a test token allow two such pages. */
const REFRESH_MS = 2_000
const WORK_MS = 5_000
const SELDOM_MS = 60_000

const readToday = (currency: string): Promise<Sales> => readSales(today(new Date()), currency)

const readDayBefore = (currency: string): Promise<Sales> => readSales(dayBefore(today(new Date())), currency)

interface FigureProps {
  readonly label: string
  readonly now: number
  readonly before: number | undefined
  readonly format: (value: number) => string
}

const Figure = ({ label, now, before, format }: FigureProps) => (
  <div className="card">
    <dt className="text-soft">{label}</dt>
    <dd className="text-2xl font-semibold tabular-nums">{format(now)}</dd>
    <dd className="min-h-5 text-sm text-soft">
      {before === undefined
        ? null
        : [formatChange(now, before), `yesterday until now ${format(before)}`].filter(Boolean).join(' · ')}
    </dd>
  </div>
)

const Figures = ({ currency }: { readonly currency: string }) => {
  const { data: now, error } = useQuery({
    queryKey: ['sales', currency],
    queryFn: () => readToday(currency),
    refetchInterval: REFRESH_MS,
  })
  const { data: before } = useQuery({
    queryKey: ['sales-before', currency],
    queryFn: () => readDayBefore(currency),
    refetchInterval: SELDOM_MS,
  })
  const curve = useQuery({
    queryKey: ['curve', currency],
    queryFn: () => readCurve(new Date(), currency),
    refetchInterval: SELDOM_MS,
  })
  if (now === undefined) return error === null ? <Loading of="sales" /> : <Problems error={error} />
  const amount = (value: number) => formatAmount(value, currency)
  return (
    <>
      {error === null ? null : <Problems error={error} />}
      <dl className="grid gap-4 sm:grid-cols-3">
        <Figure label="Revenue today" now={now.revenue} before={before?.revenue} format={amount} />
        <Figure label="Orders today" now={now.orders} before={before?.orders} format={formatCount} />
        <Figure label="Average order" now={now.average} before={before?.average} format={amount} />
      </dl>
      {curve.data === undefined ? null : (
        <figure className="card m-0">
          <figcaption className="text-soft">Revenue of the last {DAYS} days</figcaption>
          <Sparkline
            values={curve.data}
            label={`Highest day ${amount(Math.max(0, ...curve.data))}, today ${amount(curve.data.at(-1) ?? 0)}`}
          />
        </figure>
      )}
    </>
  )
}

const SalesToday = () => {
  const [chosen, setChosen] = useState<string>()
  const { data, error } = useQuery({
    queryKey: ['currencies'],
    queryFn: () => readCurrencies(new Date()),
    refetchInterval: SELDOM_MS,
  })
  if (error !== null) return <Problems error={error} />
  if (data === undefined) return <Loading of="sales" />
  const currency = chosen ?? data[0]
  if (currency === undefined) return <p className="card">Nothing was sold in the last 30 days.</p>
  return (
    <section className="flex flex-col gap-4" aria-labelledby="sales">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sales" className="text-lg font-semibold">
          Sales
        </h2>
        <div className="flex items-center gap-2 text-soft">
          <label htmlFor="currency">Currency</label>
          <select
            id="currency"
            className="control"
            value={currency}
            onChange={({ target }) => setChosen(target.value)}
          >
            {data.map((code) => (
              <option key={code}>{code}</option>
            ))}
          </select>
        </div>
      </div>
      <Figures currency={currency} />
    </section>
  )
}

const countOrders = async (search: OrderSearch): Promise<number> => {
  const page = await orders.list({ filters: toFilters(search), pageSize: 1, fields: { orders: ['number'] } })
  return page.recordCount
}

const WORK = [
  { label: 'To approve', search: { status: 'placed' } },
  { label: 'To ship', search: { status: 'approved', fulfillment_status: 'in_progress' } },
] as const satisfies readonly { readonly label: string; readonly search: OrderSearch }[]

const Work = ({ label, search }: (typeof WORK)[number]) => {
  const { data, error } = useQuery({
    queryKey: ['count', search],
    queryFn: () => countOrders(search),
    refetchInterval: WORK_MS,
  })
  if (error !== null) return <Problems error={error} />
  return (
    <Link to="/orders" search={search} className="card block hover:border-field">
      <span className="block text-soft">{label}</span>
      <span className="block text-2xl font-semibold tabular-nums">
        {data === undefined ? '…' : formatCount(data)}
      </span>
    </Link>
  )
}

export const Home = () => (
  <div className="flex flex-col gap-6">
    <h1 className="text-2xl font-semibold tracking-tight">Home</h1>
    <SalesToday />
    <section className="flex flex-col gap-4" aria-labelledby="work">
      <h2 id="work" className="text-lg font-semibold">
        Orders that wait
      </h2>
      <div className="grid gap-4 sm:grid-cols-3">
        {WORK.map((work) => (
          <Work key={work.label} {...work} />
        ))}
      </div>
    </section>
  </div>
)
