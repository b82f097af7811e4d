/** Home: what is sold today, against yesterday until the same time, and the orders that wait for somebody. */
import { orders } from '@commercelayer/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useRef, useState, type ReactNode } from 'react'
import { askCore } from '../data/api.ts'
import { useEvents } from '../data/follow-events.ts'
import { formatAmount, formatChange, formatCount } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import type { OrderSearch } from '../orders/order-search.ts'
import { toFilters } from '../orders/order-search.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import type { RecordPage } from '../records/read-records.ts'
import {
  countReturns,
  DAYS,
  dayBefore,
  readCurrencies,
  readCurve,
  readSales,
  today,
  type Sales,
} from './sales.ts'

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
        : [formatChange(now, before), t('yesterday until now {value}', { value: format(before) })]
            .filter(Boolean)
            .join(' · ')}
    </dd>
  </div>
)

const Returns = () => {
  const { data: now, error } = useQuery({
    queryKey: ['returns'],
    queryFn: () => countReturns(today(new Date())),
    refetchInterval: WORK_MS,
  })
  const { data: before } = useQuery({
    queryKey: ['returns-before'],
    queryFn: () => countReturns(dayBefore(today(new Date()))),
    refetchInterval: SELDOM_MS,
  })
  if (now === undefined)
    return (
      <div className="card">
        <dt className="text-soft">{t('Returns today')}</dt>
        <dd>{error === null ? <Loading of={t('the returns')} /> : <Problems error={error} />}</dd>
      </div>
    )
  return <Figure label={t('Returns today')} now={now} before={before} format={formatCount} />
}

/** What is asked while nobody says that something was sold; the budgets of a test token allow two such pages. */
const ALONE_MS = 2_000
/** The stream says when; this is in case that it missed something. */
const QUIET_MS = 10_000
/** Metrics hold an order within a second of its change, mostly within half of one. */
const LAG_MS = 400
const BUSY_MS = 1_000
/** For so long after an order the figures are asked for each second. */
const BUSY_FOR_MS = 3_000

/** How often the figures are asked for: at once when core's event stream says that an order was placed. */
const useSalesInterval = (): (() => number) => {
  const queries = useQueryClient()
  const may = useMay()
  const placedAt = useRef(0)
  const onPlaced = useCallback(() => {
    const isFirst = Date.now() - placedAt.current > BUSY_FOR_MS
    placedAt.current = Date.now()
    if (isFirst) setTimeout(() => void queries.invalidateQueries({ queryKey: ['sales'] }), LAG_MS)
  }, [queries])
  const isTold = useEvents('orders.place', may('read', 'events') && may('read', 'orders'), onPlaced)
  return () => {
    if (!isTold) return ALONE_MS
    return Date.now() - placedAt.current < BUSY_FOR_MS ? BUSY_MS : QUIET_MS
  }
}

const Figures = ({ currency }: { readonly currency: string }) => {
  const interval = useSalesInterval()
  const { data: now, error } = useQuery({
    queryKey: ['sales', currency],
    queryFn: () => readToday(currency),
    refetchInterval: interval,
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
  if (now === undefined) return error === null ? <Loading of={t('the sales')} /> : <Problems error={error} />
  const amount = (value: number) => formatAmount(value, currency)
  return (
    <>
      {error === null ? null : <Problems error={error} />}
      <dl className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Figure label={t('Revenue today')} now={now.revenue} before={before?.revenue} format={amount} />
        <Figure label={t('Orders today')} now={now.orders} before={before?.orders} format={formatCount} />
        <Figure label={t('Average order')} now={now.average} before={before?.average} format={amount} />
        <Returns />
      </dl>
      {curve.data === undefined ? null : (
        <figure className="card m-0">
          <figcaption className="text-soft">
            {t('Revenue of the last {days} days', { days: DAYS })}
          </figcaption>
          <Sparkline
            values={curve.data}
            label={t('Highest day {highest}, today {today}', {
              highest: amount(Math.max(0, ...curve.data)),
              today: amount(curve.data.at(-1) ?? 0),
            })}
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
  if (data === undefined) return <Loading of={t('the sales')} />
  const currency = chosen ?? data[0]
  if (currency === undefined)
    return <p className="card">{t('Nothing was sold in the last {days} days.', { days: DAYS })}</p>
  return (
    <section className="flex flex-col gap-4" aria-labelledby="sales">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="sales" className="text-lg font-semibold">
          {t('Sales')}
        </h2>
        <div className="flex items-center gap-2 text-soft">
          <label htmlFor="currency">{t('Currency')}</label>
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

/** At this quantity or below, stock is low. */
const LOW = 5

const countRecords = async (type: string, filters: Readonly<Record<string, string>>): Promise<number> => {
  const query = new URLSearchParams({ 'page[size]': '1', [`fields[${type}]`]: 'created_at' })
  for (const [name, value] of Object.entries(filters)) query.set(`filter[q][${name}]`, value)
  const { meta } = await askCore<RecordPage>(`${type}?${query.toString()}`)
  return meta.record_count
}

interface TileProps {
  readonly label: string
  readonly count: () => Promise<number>
  readonly every: number
  /** Where what is counted is. */
  readonly link: (content: ReactNode) => ReactNode
}

/** A number of things that wait for somebody, and the way to them. */
const Tile = ({ label, count, every, link }: TileProps) => {
  const { data, error } = useQuery({
    queryKey: ['count', label],
    queryFn: count,
    refetchInterval: every,
  })
  if (error !== null) return <Problems error={error} />
  return link(
    <>
      <span className="block text-soft">{label}</span>
      <span className="block text-2xl font-semibold tabular-nums">
        {data === undefined ? '…' : formatCount(data)}
      </span>
    </>,
  )
}

const TILE = 'card block hover:border-field'

const OrderTile = ({ label, search }: { readonly label: string; readonly search: OrderSearch }) => (
  <Tile
    label={label}
    count={() => countOrders(search)}
    every={WORK_MS}
    link={(content) => (
      <Link to="/orders" search={search} className={TILE}>
        {content}
      </Link>
    )}
  />
)

interface RecordTileProps {
  readonly label: string
  readonly type: string
  readonly filters: Readonly<Record<string, string>>
  readonly link: (content: ReactNode) => ReactNode
}

const RecordTile = ({ label, type, filters, link }: RecordTileProps) =>
  useMay()('read', type) ? (
    <Tile label={label} count={() => countRecords(type, filters)} every={SELDOM_MS} link={link} />
  ) : null

const LOW_STOCK = { quantity_lteq: String(LOW) }
/** As the list of webhooks counts them. */
const STOPPED = { circuit_state_eq: 'open', disabled_at_null: 'true' }

export const Home = () => (
  <div className="flex flex-col gap-6">
    <h1 className="text-2xl font-semibold tracking-tight">{t('Home')}</h1>
    <SalesToday />
    <section className="flex flex-col gap-4" aria-labelledby="work">
      <h2 id="work" className="text-lg font-semibold">
        {t('What waits')}
      </h2>
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <OrderTile label={t('To approve')} search={{ status: 'placed' }} />
        <OrderTile label={t('To ship')} search={{ status: 'approved', fulfillment_status: 'in_progress' }} />
        <RecordTile
          label={t('Low stock ({count} or less)', { count: LOW })}
          type="stock_items"
          filters={LOW_STOCK}
          link={(content) => (
            <Link
              to="/records/$type"
              params={{ type: 'stock_items' }}
              search={{ filters: LOW_STOCK }}
              className={TILE}
            >
              {content}
            </Link>
          )}
        />
        <RecordTile
          label={t('Webhooks that failed too often')}
          type="webhooks"
          filters={STOPPED}
          link={(content) => (
            <Link to="/webhooks" search={{ state: 'stopped' }} className={TILE}>
              {content}
            </Link>
          )}
        />
      </div>
    </section>
  </div>
)
