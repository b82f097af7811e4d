/** What can be done to the chosen orders at once, and what came of it for each. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { problemsOf } from '../data/api.ts'
import { FINAL, labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { bulkActions, doToEach, type BulkAction, type Outcome } from './bulk.ts'
import { nameOfOrder, type OrderRow } from './list-orders.ts'
import { startTrigger } from './read-order.ts'

type Started = BulkAction<OrderRow>

/** Starts an action for each order; every answer is shown when it is there. */
export const useBulk = (onDone: () => void) => {
  const queries = useQueryClient()
  const [outcomes, setOutcomes] = useState<readonly Outcome<OrderRow>[]>([])
  const { mutate, isPending, variables, reset } = useMutation({
    mutationFn: ({ trigger, orders }: Started) =>
      doToEach(orders, ({ id }) => startTrigger(id, trigger), setOutcomes),
    onMutate: () => setOutcomes([]),
    onSettled: async () => {
      onDone()
      await queries.invalidateQueries()
    },
  })
  return { start: mutate, isRunning: isPending, started: variables, outcomes, close: reset }
}

type Bulk = ReturnType<typeof useBulk>

export const BulkActions = ({
  chosen,
  bulk,
}: {
  readonly chosen: readonly OrderRow[]
  readonly bulk: Bulk
}) => (
  <div
    role="group"
    aria-label={t('Actions of the chosen orders')}
    className="card flex flex-wrap items-center gap-2 py-3"
  >
    <span className="me-2">
      {t('{count, plural, one {# order chosen} other {# orders chosen}}', { count: chosen.length })}
    </span>
    {bulkActions(chosen).map((action) => {
      const { trigger, orders } = action
      const name = labelOf(trigger)
      const label = t('{action} ({count})', { action: name, count: orders.length })
      return FINAL.has(trigger) ? (
        <ConfirmButton
          key={trigger}
          label={label}
          question={t(
            '{action}: {count, plural, one {# order} other {# orders}}? This cannot be taken back.',
            { action: name, count: orders.length },
          )}
          isBusy={bulk.isRunning}
          onConfirm={() => bulk.start(action)}
        />
      ) : (
        <button
          key={trigger}
          type="button"
          className="button"
          disabled={bulk.isRunning}
          onClick={() => bulk.start(action)}
        >
          {label}
        </button>
      )
    })}
  </div>
)

const Result = ({ outcome: { order, error } }: { readonly outcome: Outcome<OrderRow> }) => (
  <li className="flex flex-wrap gap-x-3">
    <Link to="/orders/$id" params={{ id: order.id }} className="underline underline-offset-2">
      {nameOfOrder(order)}
    </Link>
    {error === undefined ? (
      <span className="text-good">{t('Done')}</span>
    ) : (
      <span className="text-bad">
        {problemsOf(error)
          .map(({ detail }) => detail)
          .join('; ')}
      </span>
    )}
  </li>
)

/** Stays until it is closed: what was refused is to be read. */
export const BulkResults = ({ bulk: { started, outcomes, isRunning, close } }: { readonly bulk: Bulk }) => {
  if (started === undefined) return null
  const refused = outcomes.filter(({ error }) => error !== undefined).length
  return (
    <section aria-label={t('Results')} className="card flex flex-col gap-3 py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-semibold">
          {isRunning
            ? t('{action}: {done} of {count}…', {
                action: labelOf(started.trigger),
                done: outcomes.length,
                count: started.orders.length,
              })
            : t('{action}: {done} done, {refused} refused', {
                action: labelOf(started.trigger),
                done: outcomes.length - refused,
                refused,
              })}
        </p>
        {isRunning ? null : (
          <button type="button" className="button" onClick={close}>
            {t('Close')}
          </button>
        )}
      </div>
      <ul className="flex flex-col gap-1">
        {outcomes.map((outcome) => (
          <Result key={outcome.order.id} outcome={outcome} />
        ))}
      </ul>
    </section>
  )
}
