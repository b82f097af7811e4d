/** Products: a search, the columns that are compared, and the grid. The address holds the search and the columns. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { formatCount } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { shownColumns, type Column, type ValueType } from './columns.ts'
import { ProductGrid } from './product-grid.tsx'
import type { ProductSearch } from './product-search.ts'
import { countProducts, IN_ORDER_MAX, type ProductQuestion } from './read-products.ts'
import { useColumns } from './use-columns.ts'

const Search = ({ search }: { readonly search: ProductSearch }) => {
  const navigate = useNavigate({ from: '/products' })
  const input = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    const { text: _text, ...others } = search
    void navigate({ search: { ...others, ...(text === '' ? {} : { text }) } })
  }
  return (
    <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('Code or name')}
        <input
          ref={input}
          type="search"
          defaultValue={search.text ?? ''}
          className="control w-64 max-w-full"
        />
      </label>
      <button type="submit" className="button">
        {t('Search')}
      </button>
    </form>
  )
}

interface ChooseColumnsProps {
  readonly search: ProductSearch
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
}

const TITLES: Readonly<Record<ValueType, () => string>> = {
  prices: () => t('Price lists'),
  stock_items: () => t('Stock locations'),
}

const ChooseColumns = ({ search, columns, shown }: ChooseColumnsProps) => {
  const navigate = useNavigate({ from: '/products' })
  const toggle = (key: string) => {
    const keys = columns
      .filter((column) => (column.key === key ? !shown.includes(column) : shown.includes(column)))
      .map((column) => column.key)
    void navigate({ search: { ...search, columns: keys }, replace: true })
  }
  return (
    <details className="card py-2">
      <summary>{t('Columns')}</summary>
      <div className="flex flex-wrap gap-6 pt-3">
        {(['prices', 'stock_items'] as const).map((type) => (
          <fieldset key={type} className="flex flex-col gap-1">
            <legend className="pb-1 text-sm text-soft">{TITLES[type]()}</legend>
            {columns
              .filter((column) => column.type === type)
              .map((column) => (
                <label key={column.key} className="flex items-center gap-2">
                  <input
                    type="checkbox"
                    checked={shown.includes(column)}
                    onChange={() => toggle(column.key)}
                  />
                  {column.name}
                </label>
              ))}
          </fieldset>
        ))}
      </div>
    </details>
  )
}

export const Products = () => {
  const search = useSearch({ from: '/products' })
  const mayCreate = useMay()('create', 'skus')
  const { text } = search
  const asked = text === undefined ? {} : { text }
  const columns = useColumns()
  const count = useQuery({
    queryKey: ['products-count', asked],
    queryFn: () => countProducts(asked),
    placeholderData: keepPreviousData,
  })
  const error = columns.error ?? count.error
  const shown = shownColumns(columns.data ?? [], search.columns)
  const types = [...new Set(columns.data?.map(({ type }) => type) ?? [])]
  const question: ProductQuestion = {
    ...{ search: asked, types, order: (count.data ?? 0) > IN_ORDER_MAX ? 'id' : 'code' },
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">{t('Products')}</h1>
        {mayCreate ? (
          <Link to="/records/$type/new" params={{ type: 'skus' }} className="button primary">
            {t('New')}
          </Link>
        ) : null}
      </div>
      <Search key={text ?? ''} search={search} />
      {error === null ? null : <Problems error={error} />}
      {count.data === undefined || columns.data === undefined ? (
        error === null ? (
          <Loading of={t('Products')} />
        ) : null
      ) : (
        <>
          <ChooseColumns search={search} columns={columns.data} shown={shown} />
          <p role="status" className="text-soft">
            {t('{count} found', { count: formatCount(count.data) })}
          </p>
          {count.data === 0 ? (
            <p className="card">{t('Nothing matches. Search for less.')}</p>
          ) : (
            <ProductGrid key={JSON.stringify(asked)} question={question} columns={shown} count={count.data} />
          )}
        </>
      )}
    </div>
  )
}
