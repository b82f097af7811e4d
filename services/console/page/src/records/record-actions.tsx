/** What can be done with a record: change it, delete it, and the triggers that it takes now. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { hasTriggers, labelOf, makesSense, triggersOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { TriggerButtons } from '../parts/trigger-buttons.tsx'
import { formOf } from './forms.ts'
import { nameOf, type CoreRecord } from './types.ts'
import { removeRecord, startRecordTrigger } from './write-records.ts'

interface OfRecord {
  readonly type: string
  readonly record: CoreRecord
}

const useTrigger = ({ type, record }: OfRecord) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ trigger, value = true }: { readonly trigger: string; readonly value?: unknown }) =>
      startRecordTrigger(type, record.id, trigger, value),
    onSettled: () => queries.invalidateQueries(),
  })
}

interface ValueTriggerProps {
  readonly trigger: string
  readonly carries: string
  readonly isBusy: boolean
  readonly onStart: (value: unknown) => void
}

/** A trigger that needs a text or a number. */
const ValueTrigger = ({ trigger, carries, isBusy, onStart }: ValueTriggerProps) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = typedIn(new FormData(event.currentTarget), 'value')
    onStart(carries === 'integer' ? Number(text) : text)
    event.currentTarget.reset()
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <TextField
        label={labelOf(trigger)}
        name="value"
        required
        inputMode={carries === 'integer' ? 'numeric' : 'text'}
      />
      <button type="submit" className="button" disabled={isBusy}>
        {t('Send')}
      </button>
    </form>
  )
}

const Triggers = ({ type, record }: OfRecord) => {
  const trigger = useTrigger({ type, record })
  const plain = Object.entries(formOf(type).triggers).filter(([name]) => makesSense(name, record.attributes))
  const name = nameOf(type, record)
  return (
    <>
      {hasTriggers(type) ? (
        <TriggerButtons
          {...{ name, isBusy: trigger.isPending, error: null }}
          triggers={triggersOf(type, record.attributes)}
          onTrigger={(started) => trigger.mutate({ trigger: started })}
        />
      ) : null}
      {trigger.error === null ? null : <Problems error={trigger.error} />}
      {plain.length === 0 ? null : (
        <details className="card py-3">
          <summary>{t('More actions')}</summary>
          <div className="flex flex-wrap items-end gap-3 pt-3">
            {plain.map(([started, carries]) =>
              carries === 'boolean' ? (
                <button
                  key={started}
                  type="button"
                  className="button"
                  disabled={trigger.isPending}
                  onClick={() => trigger.mutate({ trigger: started })}
                >
                  {labelOf(started)}
                </button>
              ) : (
                <ValueTrigger
                  key={started}
                  {...{ trigger: started, carries, isBusy: trigger.isPending }}
                  onStart={(value) => trigger.mutate({ trigger: started, value })}
                />
              ),
            )}
          </div>
        </details>
      )}
    </>
  )
}

/** Nothing that the role would be refused. */
export const RecordActions = ({ type, record }: OfRecord) => {
  const may = useMay()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeRecord(type, record.id),
    onSuccess: async () => {
      await navigate({ to: '/records/$type', params: { type } })
      await queries.invalidateQueries()
    },
  })
  const { operations } = formOf(type)
  const mayUpdate = operations.includes('update') && may('update', type)
  const mayDelete = operations.includes('delete') && may('destroy', type)
  return (
    <>
      {mayUpdate || mayDelete ? (
        <div className="flex flex-wrap gap-2">
          {mayUpdate ? (
            <Link to="/records/$type/$id/edit" params={{ type, id: record.id }} className="button">
              {t('Change')}
            </Link>
          ) : null}
          {mayDelete ? (
            <ConfirmButton
              label={t('Delete')}
              question={t('Delete {name}? This cannot be taken back.', { name: nameOf(type, record) })}
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate()}
            />
          ) : null}
        </div>
      ) : null}
      {remove.error === null ? null : <Problems error={remove.error} />}
      {mayUpdate ? <Triggers type={type} record={record} /> : null}
    </>
  )
}
