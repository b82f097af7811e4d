/** The orders: views, filters, a search, pages, and actions for several. The address holds what is shown, so that it can be shared. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { BulkActions, BulkResults, useBulk } from './bulk-actions.tsx'
import { listOrders, type OrderRow } from './list-orders.ts'
import { OrderFilters } from './order-filters.tsx'
import type { OrderSearch } from './order-search.ts'
import { OrderTable } from './order-table.tsx'
import { SavedViews } from './saved-views.tsx'

const NOTHING: ReadonlySet<string> = new Set()

/** The rows, and what is chosen of them; what is no longer there is not chosen. */
const Rows = ({ rows }: { readonly rows: readonly OrderRow[] }) => {
  const mayUpdate = useMay()('update', 'orders')
  const [chosen, setChosen] = useState(NOTHING)
  const bulk = useBulk(() => setChosen(NOTHING))
  const chosenRows = rows.filter(({ id }) => chosen.has(id))
  return (
    <>
      {chosenRows.length === 0 ? null : <BulkActions chosen={chosenRows} bulk={bulk} />}
      <BulkResults bulk={bulk} />
      {rows.length === 0 ? (
        <p className="card">
          {t('No order matches. Take a filter away, or place an order: docs/how-to/sell.md says how.')}
        </p>
      ) : (
        <OrderTable rows={rows} choice={mayUpdate ? { chosen, onChoose: setChosen } : undefined} />
      )}
    </>
  )
}

const Found = ({ search }: { readonly search: OrderSearch }) => {
  const { data, error } = useQuery({
    queryKey: ['orders', search],
    queryFn: () => listOrders(search),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  return (
    <>
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={t('the orders')} /> : null}
      {data === undefined ? null : (
        <>
          <p className="text-soft" role="status">
            {t('{count, plural, one {# order} other {# orders}}', { count: data.recordCount })}
          </p>
          <Rows key={JSON.stringify(search)} rows={data} />
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
    </>
  )
}

export const OrderList = () => {
  const search = useSearch({ from: '/orders' })
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-2xl font-semibold tracking-tight">{t('Orders')}</h1>
      <SavedViews search={search} />
      <OrderFilters key={search.text ?? ''} search={search} />
      <Found search={search} />
    </div>
  )
}
