/** What is bought and what it costs, as rows that add up; while core lets the order be edited, quantities and articles can change. */
import type { FormEvent } from 'react'
import { useState } from 'react'
import { formatCents } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import type { Link } from '../records/form-values.ts'
import { RecordPicker } from '../records/record-picker.tsx'
import { amountTable } from './amounts.ts'
import {
  addLine,
  changeOrder,
  removeLine,
  setQuantity,
  type LineOfOrder,
  type OrderWithParts,
} from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

interface OfOrder {
  readonly order: OrderWithParts
}

/** What is bought; shipping and payment are amounts below. */
const ARTICLES = ['skus', 'bundles', 'gift_cards']

const isArticle = (type: string | null | undefined): boolean => ARTICLES.includes(type ?? '')

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
          {t('Total')}
        </th>
        <td className="number font-semibold">{cents(table.totalCents)}</td>
      </tr>
      {table.includedTaxCents === undefined ? null : (
        <tr>
          <th scope="row" colSpan={3}>
            {t('Taxes in it')}
          </th>
          <td className="number text-soft">{cents(table.includedTaxCents)}</td>
        </tr>
      )}
      {table.differenceCents === 0 ? null : (
        <tr>
          <th scope="row" colSpan={3} className="text-bad">
            {t('These amounts do not add up: the total is off by')}
          </th>
          <td className="number text-bad">{cents(table.differenceCents)}</td>
        </tr>
      )}
    </tfoot>
  )
}

type Write = ReturnType<typeof useOrderWrite>

interface QuantityProps {
  readonly line: LineOfOrder
  readonly write: Write
  readonly mayRemove: boolean
}

const Quantity = ({ line, write, mayRemove }: QuantityProps) => {
  const name = line.name ?? line.sku_code ?? line.id
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const quantity = Number(typedIn(new FormData(event.currentTarget), 'quantity'))
    write.mutate(() => setQuantity(line.id, quantity))
  }
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <form onSubmit={submit} className="flex gap-2">
        <input
          // Somebody else's quantity is shown as soon as it is known.
          key={line.quantity}
          name="quantity"
          type="number"
          min={1}
          required
          defaultValue={line.quantity ?? 1}
          aria-label={t('Quantity of {name}', { name })}
          className="control w-20 text-end"
        />
        <button type="submit" className="button" disabled={write.isPending}>
          {t('Set')}
        </button>
      </form>
      {mayRemove ? (
        <ConfirmButton
          label={t('Remove')}
          question={t('Remove {name} from the order?', { name })}
          isBusy={write.isPending}
          onConfirm={() => write.mutate(() => removeLine(line.id))}
        />
      ) : null}
    </div>
  )
}

interface LineRowProps extends OfOrder {
  readonly line: LineOfOrder
  /** Undefined while nothing can be changed. */
  readonly edit: Omit<QuantityProps, 'line'> | undefined
}

const LineRow = ({ order, line, edit }: LineRowProps) => {
  const cents = (value: number | null | undefined) => formatCents(value, currencyOf(order))
  return (
    <tr>
      <td>
        {line.name} <span className="block text-sm text-soft">{line.sku_code ?? line.bundle_code}</span>
        {(line.options_amount_cents ?? 0) === 0 ? null : (
          <span className="block text-sm text-soft">
            {t('with options for {amount}', { amount: cents(line.options_amount_cents) })}
          </span>
        )}
      </td>
      <td className="number">{edit === undefined ? line.quantity : <Quantity line={line} {...edit} />}</td>
      <td className="number">{cents(line.unit_amount_cents)}</td>
      <td className="number">{cents(line.total_amount_cents)}</td>
    </tr>
  )
}

const AddLine = ({ order, write }: OfOrder & { readonly write: Write }) => {
  const [links, setLinks] = useState<readonly Link[]>([])
  const [sku] = links
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const quantity = Number(typedIn(new FormData(event.currentTarget), 'quantity'))
    if (sku !== undefined)
      write.mutate(() => addLine(order.id, sku.id, quantity), { onSuccess: () => setLinks([]) })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <RecordPicker
        label={t('Add an article')}
        targets={['skus']}
        isMany={false}
        isRequired={false}
        links={links}
        refused={[]}
        onChange={setLinks}
      />
      <TextField
        label={t('Quantity')}
        name="quantity"
        type="number"
        min={1}
        required
        defaultValue={1}
        className="w-24"
      />
      <button type="submit" className="button" disabled={sku === undefined || write.isPending}>
        {t('Add')}
      </button>
    </form>
  )
}

const Coupon = ({ order, write }: OfOrder & { readonly write: Write }) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = typedIn(new FormData(event.currentTarget), 'coupon').trim()
    write.mutate(() => changeOrder(order.id, { coupon_code: code === '' ? null : code }))
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <TextField
        key={order.coupon_code}
        label={t('Coupon code')}
        name="coupon"
        maxLength={255}
        defaultValue={order.coupon_code ?? ''}
      />
      <button type="submit" className="button" disabled={write.isPending}>
        {t('Set')}
      </button>
    </form>
  )
}

/** What an order that is edited may still cost. */
const Ceiling = ({ order }: OfOrder) =>
  order.status !== 'editing' || order.place_total_amount_cents === null ? null : (
    <p>
      {t('This order is being edited. It may cost at most {amount}, what it cost when it was placed.', {
        amount: formatCents(order.place_total_amount_cents, currencyOf(order)),
      })}
    </p>
  )

const Editing = ({ order, write }: OfOrder & { readonly write: Write }) => {
  const may = useMay()
  return (
    <div className="card flex flex-col gap-4">
      <Ceiling order={order} />
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
        {may('create', 'line_items') && may('read', 'skus') ? <AddLine order={order} write={write} /> : null}
        {may('update', 'orders') ? <Coupon order={order} write={write} /> : null}
      </div>
      {write.error === null ? null : <Problems error={write.error} />}
    </div>
  )
}

const heads = (): readonly (readonly [string, string | undefined])[] => [
  [t('Article'), undefined],
  ...[t('Quantity'), t('Each'), t('Amount')].map((head) => [head, 'number'] as const),
]

export const Lines = ({ order }: OfOrder) => {
  const may = useMay()
  const write = useOrderWrite()
  const isEditable = order.editable === true && may('update', 'line_items')
  const edit = isEditable ? { write, mayRemove: may('destroy', 'line_items') } : undefined
  return (
    <Section title={t('Lines')}>
      <div
        className="card overflow-x-auto p-0"
        tabIndex={0}
        role="region"
        aria-label={t('Lines of the order')}
      >
        <table className="cells w-full border-collapse">
          <thead>
            <tr>
              {heads().map(([head, className]) => (
                <th key={head} scope="col" className={className}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(order.line_items ?? [])
              .filter(({ item_type: type }) => isArticle(type))
              .map((line) => (
                <LineRow key={line.id} {...{ order, line, edit }} />
              ))}
          </tbody>
          <Totals order={order} />
        </table>
      </div>
      {isEditable ? <Editing order={order} write={write} /> : null}
    </Section>
  )
}
