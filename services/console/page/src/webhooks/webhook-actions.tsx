/** What can be done with a webhook: sent again, reset, switched off and on, changed, deleted. Nothing that the role would be refused. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Problems } from '../parts/problems.tsx'
import { removeRecord, startRecordTrigger } from '../records/write-records.ts'
import { SendAgain } from './send-again.tsx'
import { stateOf, type Webhook } from './webhooks.ts'

type Trigger = '_enable' | '_disable' | '_reset_circuit' | '_resend' | '_regenerate_shared_secret'

const useTrigger = (id: string) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (trigger: Trigger) => startRecordTrigger('webhooks', id, trigger),
    onSettled: () => queries.invalidateQueries(),
  })
}

const DONE: Readonly<Partial<Record<Trigger, () => string>>> = {
  _resend: () => t('What failed for the last time is sent again now.'),
  _reset_circuit: () => t('What was kept is sent now.'),
}

interface WriteProps {
  readonly webhook: Webhook
}

const Triggers = ({ webhook }: WriteProps) => {
  const [isAsking, setAsking] = useState(false)
  const trigger = useTrigger(webhook.id)
  const state = stateOf(webhook)
  const button = (name: Trigger, label: string) => (
    <button
      type="button"
      className="button"
      disabled={trigger.isPending}
      onClick={() => trigger.mutate(name)}
    >
      {label}
    </button>
  )
  return (
    <>
      {state === 'stopped' || state === 'failing' ? button('_reset_circuit', t('Reset the circuit')) : null}
      {state === 'disabled' ? (
        button('_enable', t('Enable'))
      ) : (
        <>
          {button('_resend', t('Send again what failed'))}
          <button type="button" className="button" onClick={() => setAsking(true)}>
            {t('Send again everything of a time')}
          </button>
          {button('_disable', t('Disable'))}
        </>
      )}
      <ConfirmButton
        label={t('New shared secret')}
        question={t(
          'Make a new shared secret? Receivers that know the old one refuse every call from now on.',
        )}
        isBusy={trigger.isPending}
        onConfirm={() => trigger.mutate('_regenerate_shared_secret')}
      />
      {isAsking ? <SendAgain id={webhook.id} onClose={() => setAsking(false)} /> : null}
      <span role="status" className="text-soft">
        {trigger.isSuccess ? DONE[trigger.variables]?.() : null}
      </span>
      {trigger.error === null ? null : <Problems error={trigger.error} />}
    </>
  )
}

const Remove = ({ webhook: { id, attributes } }: WriteProps) => {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeRecord('webhooks', id),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' })
      await queries.invalidateQueries()
    },
  })
  return (
    <>
      <ConfirmButton
        label={t('Delete')}
        question={t('Delete {name}? This cannot be taken back.', { name: attributes.name ?? id })}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
      {remove.error === null ? null : <Problems error={remove.error} />}
    </>
  )
}

export const WebhookActions = ({ webhook }: WriteProps) => {
  const may = useMay()
  const { id, attributes } = webhook
  const name = attributes.name ?? id
  if (!may('update', 'webhooks') && !may('destroy', 'webhooks')) return null
  return (
    <div
      role="group"
      aria-label={t('Actions of {name}', { name })}
      className="flex flex-wrap items-center gap-2"
    >
      {may('update', 'webhooks') ? (
        <>
          <Triggers webhook={webhook} />
          <Link to="/records/$type/$id/edit" params={{ type: 'webhooks', id }} className="button">
            {t('Change')}
          </Link>
        </>
      ) : null}
      {may('destroy', 'webhooks') ? <Remove webhook={webhook} /> : null}
    </div>
  )
}
