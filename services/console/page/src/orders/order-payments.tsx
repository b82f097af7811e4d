/** The money of an order: each movement, what came in and went back, and parts of it that can be moved now. */
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { formatCents, formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refusedOf, TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import { startRecordTrigger, writeRecord } from '../records/write-records.ts'
import { moneyMoves, sumOf, type MoneyMove } from './money-moves.ts'
import type { OrderWithParts } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

type Transaction = NonNullable<OrderWithParts['transactions']>[number]

interface MoveProps {
  readonly transaction: Transaction
  readonly move: MoneyMove
  readonly currency: string | null | undefined
}

/** All that is left, unless another amount is typed. */
const AmountDialog = ({
  transaction,
  move,
  currency,
  onClose,
}: MoveProps & { readonly onClose: () => void }) => {
  const { trigger, leftCents } = move
  const { mutate, isPending, error } = useOrderWrite(onClose)
  const amountOf = `${trigger}_amount_cents`
  const refused = refusedOf(error, amountOf)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const amount = Number(typedIn(new FormData(event.currentTarget), 'amount'))
    const attributes = { [trigger]: true, [amountOf]: amount }
    mutate(() =>
      writeRecord(transaction.type, 'update', { attributes, relationships: {} }, { id: transaction.id }),
    )
  }
  return (
    <Dialog title={labelOf(trigger)} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {error === null || refused.length > 0 ? null : <Problems error={error} />}
        <p>{t('{amount} is left.', { amount: formatCents(leftCents, currency) })}</p>
        <TextField
          label={t('Amount')}
          name="amount"
          type="number"
          min={1}
          max={leftCents}
          required
          defaultValue={leftCents}
          hint={t('In the smallest unit of the currency: 1250 is 12.50.')}
          refused={refused}
        />
        <button type="submit" className="button primary self-start" disabled={isPending}>
          {labelOf(trigger)}
        </button>
      </form>
    </Dialog>
  )
}

const Move = ({ transaction, move, currency }: MoveProps) => {
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, error } = useOrderWrite()
  const { id, type, number } = transaction
  return (
    <>
      {move.trigger === '_void' ? (
        <ConfirmButton
          label={labelOf(move.trigger)}
          question={t('{action} {name}? This cannot be taken back.', {
            action: labelOf(move.trigger),
            name: number,
          })}
          isBusy={isPending}
          onConfirm={() => mutate(() => startRecordTrigger(type, id, move.trigger))}
        />
      ) : (
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t('{action} a part', { action: labelOf(move.trigger) })}
        </button>
      )}
      {isOpen ? <AmountDialog {...{ transaction, move, currency }} onClose={() => setOpen(false)} /> : null}
      {error === null ? null : <Problems error={error} />}
    </>
  )
}

interface RowProps {
  readonly order: OrderWithParts
  readonly transaction: Transaction
}

const Row = ({ order, transaction }: RowProps) => {
  const may = useMay()
  const { id, type, succeeded, message } = transaction
  const moves = may('update', type) ? moneyMoves(transaction, order.status) : []
  return (
    <tr>
      <td>
        <Link to="/records/$type/$id" params={{ type, id }} className="underline underline-offset-2">
          {labelOf(type)}
        </Link>
      </td>
      <td>{formatTime(transaction.created_at)}</td>
      <td>
        {succeeded ? t('Succeeded') : (message ?? t('Not done'))}
        {moves.length === 0 ? null : (
          <span className="flex flex-wrap gap-2 pt-2">
            {moves.map((move) => (
              <Move key={move.trigger} {...{ transaction, move }} currency={order.currency_code} />
            ))}
          </span>
        )}
      </td>
      <td className="number">{formatCents(transaction.amount_cents, order.currency_code)}</td>
    </tr>
  )
}

const Sums = ({ order }: { readonly order: OrderWithParts }) => {
  const transactions = order.transactions ?? []
  const captured = sumOf(transactions, 'captures')
  const refunded = sumOf(transactions, 'refunds')
  const rows = [
    [t('Captured'), captured],
    // Never -0.
    [t('Refunded'), 0 - refunded],
    [t('Received'), captured - refunded],
  ] as const
  return (
    <tfoot>
      {rows.map(([label, cents]) => (
        <tr key={label}>
          <th scope="row" colSpan={3}>
            {label}
          </th>
          <td className="number">{formatCents(cents, order.currency_code)}</td>
        </tr>
      ))}
    </tfoot>
  )
}

const heads = (): readonly string[] => [t('Transaction'), t('When'), t('Outcome')]

export const Payments = ({ order }: { readonly order: OrderWithParts }) => (
  <Section title={t('Payments')}>
    {(order.transactions ?? []).length === 0 ? (
      <p className="card">{t('No transaction is recorded.')}</p>
    ) : (
      <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label={t('Transactions')}>
        <table className="cells w-full border-collapse">
          <thead>
            <tr>
              {heads().map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col" className="number">
                {t('Amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {order.transactions?.map((transaction) => (
              <Row key={transaction.id} order={order} transaction={transaction} />
            ))}
          </tbody>
          <Sums order={order} />
        </table>
      </div>
    )}
  </Section>
)
