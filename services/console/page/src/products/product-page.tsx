/** One product: its prices by price list and stock by location, edited in place, and what else is known of it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useRef, type KeyboardEvent, type ReactNode } from 'react'
import { formatCount, formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import { RecordActions } from '../records/record-actions.tsx'
import { RecordLink } from '../records/record-link.tsx'
import { nameOf, type CoreRecord } from '../records/types.ts'
import { Value } from '../records/value.tsx'
import { formatValue, KEPT, toText, type Column, type ValueType } from './columns.ts'
import { readProduct, type ProductParts, type WholeProduct } from './read-product.ts'
import { useColumns } from './use-columns.ts'
import { editKey, useEdits, type EditActions } from './use-edits.ts'

interface FieldProps {
  readonly product: WholeProduct
  readonly column: Column
  readonly actions: EditActions
}

/** A price or a quantity, saved when it is left or with Enter. */
const ValueField = ({ product, column, actions }: FieldProps) => {
  const input = useRef<HTMLInputElement>(null)
  const may = useMay()
  const value = product.values[column.key]
  if (!may(value === undefined ? 'create' : 'update', column.type))
    return value === undefined ? '–' : formatValue(column, value.value)
  const key = editKey(product, column)
  const edit = actions.edits[key]
  const text = value === undefined ? '' : toText(column, value.value)
  const isSaving = edit !== undefined && edit.problem === undefined
  const save = () => actions.save(product, column, input.current?.value ?? text)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key !== 'Escape' || input.current === null) return
    input.current.value = text
    actions.discard(key)
  }
  return (
    <>
      <input
        // Another value is another field: what was saved is what it begins with.
        key={text}
        ref={input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        className="control number w-28"
        aria-label={t('{column} of {code}', { column: column.name, code: product.code })}
        aria-invalid={edit?.problem !== undefined}
        aria-describedby={edit?.problem === undefined ? undefined : `${column.key}-problem`}
        readOnly={isSaving}
        defaultValue={edit?.text ?? text}
        onBlur={save}
        onKeyDown={press}
      />
      {edit?.problem === undefined ? null : (
        <p id={`${column.key}-problem`} className="max-w-60 text-sm text-bad">
          {edit.problem}
        </p>
      )}
    </>
  )
}

interface ValuesProps {
  readonly product: WholeProduct
  readonly columns: readonly Column[]
  readonly actions: EditActions
  readonly type: ValueType
}

const Section = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="flex min-w-0 flex-col gap-3">
    <h2 className="text-lg font-semibold">{title}</h2>
    {children}
  </section>
)

const RecordCell = ({ product, column }: Omit<FieldProps, 'actions'>) => {
  const value = product.values[column.key]
  return (
    <td>
      {value === undefined ? null : (
        <RecordLink type={column.type} id={value.id}>
          {t('Details')}
        </RecordLink>
      )}
    </td>
  )
}

const Values = ({ product, columns, actions, type }: ValuesProps) => {
  const isPrice = type === 'prices'
  const title = isPrice ? t('Prices') : t('Stock')
  const heads = isPrice
    ? [t('Price list'), t('Currency and markets'), t('Price'), t('Record')]
    : [t('Stock location'), t('Reserved'), t('Quantity'), t('Record')]
  const shown = columns.filter((column) => column.type === type)
  return shown.length === 0 ? null : (
    <Section title={title}>
      <Table label={title} heads={heads}>
        {shown.map((column) => (
          <tr key={column.key}>
            <th scope="row" className="border-t border-line text-base! font-normal! text-text!">
              <RecordLink type={KEPT[type].ownerType} id={column.ownerId}>
                {column.name}
              </RecordLink>
            </th>
            <td>
              {isPrice
                ? column.detail
                : formatCount(product.reserved[product.values[column.key]?.id ?? ''] ?? 0)}
            </td>
            <td>
              <ValueField product={product} column={column} actions={actions} />
            </td>
            <RecordCell product={product} column={column} />
          </tr>
        ))}
      </Table>
    </Section>
  )
}

const Linked = ({ title, records }: { readonly title: string; readonly records: readonly CoreRecord[] }) => (
  <Section title={title}>
    {records.length === 0 ? (
      <p className="text-soft">{t('None.')}</p>
    ) : (
      <ul className="flex flex-wrap gap-2">
        {records.map((record) => (
          <li key={record.id} className="wrap-anywhere">
            <RecordLink type={record.type} id={record.id}>
              {nameOf(record.type, record)}
            </RecordLink>
          </li>
        ))}
      </ul>
    )}
  </Section>
)

const SHOWN = [
  'name',
  'description',
  'weight',
  'unit_of_weight',
  'pieces_per_pack',
  'do_not_ship',
  'do_not_track',
  'reference',
] as const

/** Pictures of other hosts are not loaded: the page asks nobody but Merx. */
const Picture = ({ sku }: { readonly sku: CoreRecord }) => {
  const url = sku.attributes['image_url']
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).origin !== window.location.origin)
    return null
  return <img src={url} alt="" className="max-h-48 self-start rounded-lg border border-line bg-white" />
}

const About = ({ product }: { readonly product: WholeProduct }) => {
  const { sku, category } = product
  return (
    <Section title={t('Attributes')}>
      <div className="card flex flex-col gap-4">
        <Picture sku={sku} />
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
          {SHOWN.filter((name) => name in sku.attributes).map((name) => (
            <div key={name} className="contents">
              <dt className="text-soft">{labelOf(name)}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <Value kind="text" value={sku.attributes[name]} />
              </dd>
            </div>
          ))}
          {category === undefined ? null : (
            <>
              <dt className="text-soft">{t('Shipping category')}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <RecordLink type={category.type} id={category.id}>
                  {nameOf(category.type, category)}
                </RecordLink>
              </dd>
            </>
          )}
          <dt className="text-soft">{labelOf('updated_at')}</dt>
          <dd>{formatTime(String(sku.attributes['updated_at']))}</dd>
        </dl>
        <Link
          to="/records/$type/$id"
          params={{ type: 'skus', id: sku.id }}
          className="self-start underline underline-offset-2"
        >
          {t('Everything about it')}
        </Link>
      </div>
    </Section>
  )
}

/** Nothing is asked for that would be refused. */
const usePartsToRead = (columns: readonly Column[]): ProductParts => {
  const may = useMay()
  const related = { shipping_category: 'shipping_categories', sku_options: 'sku_options', tags: 'tags' }
  return {
    types: [...new Set(columns.map(({ type }) => type))],
    hasReserved: may('read', 'stock_items') && may('read', 'reserved_stocks'),
    related: Object.entries(related)
      .filter(([, type]) => may('read', type))
      .map(([name]) => name),
  }
}

export const ProductPage = () => {
  const { id } = useParams({ from: '/products/$id' })
  const columns = useColumns()
  const actions = useEdits()
  const parts = usePartsToRead(columns.data ?? [])
  const { data: product, error } = useQuery({
    queryKey: ['product', id, parts],
    queryFn: () => readProduct(id, parts),
    enabled: columns.data !== undefined,
  })
  if (product === undefined) {
    const refused = columns.error ?? error
    return refused === null ? <Loading of={t('the product')} /> : <Problems error={refused} />
  }
  const values = { product, columns: columns.data ?? [], actions }
  return (
    <div className="flex flex-col gap-6">
      <p>
        <Link to="/products" className="underline underline-offset-2">
          {t('Products')}
        </Link>
      </p>
      <div>
        <h1 className="text-2xl font-semibold tracking-tight break-all">{product.code}</h1>
        <p className="text-soft wrap-anywhere">{product.name}</p>
      </div>
      <RecordActions type="skus" record={product.sku} />
      <p role="status" className="sr-only">
        {actions.saved}
      </p>
      <div className="grid gap-6 lg:grid-cols-3">
        <div className="flex min-w-0 flex-col gap-6 lg:col-span-2">
          <Values type="prices" {...values} />
          <Values type="stock_items" {...values} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <About product={product} />
          <Linked title={t('Tags')} records={product.tags} />
          <Linked title={t('Options')} records={product.options} />
        </div>
      </div>
    </div>
  )
}
