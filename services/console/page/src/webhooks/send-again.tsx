/** Sends everything again that happened in a time, also what arrived. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { refusedOf, TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { writeRecord } from '../records/write-records.ts'

interface Time {
  /** As the browser's field gives it, in the time of the place; empty for now. */
  readonly from: string
  readonly to: string
}

const toInstant = (local: string): string => (local === '' ? '' : new Date(local).toISOString())

const resend = (id: string, { from, to }: Time): Promise<unknown> =>
  writeRecord(
    'webhooks',
    'update',
    {
      attributes: {
        ...{ _resend: true, _resend_from: toInstant(from) },
        ...(to === '' ? {} : { _resend_to: toInstant(to) }),
      },
      relationships: {},
    },
    { id },
  )

interface SendAgainProps {
  readonly id: string
  readonly onClose: () => void
}

export const SendAgain = ({ id, onClose }: SendAgainProps) => {
  const queries = useQueryClient()
  const send = useMutation({
    mutationFn: (time: Time) => resend(id, time),
    onSuccess: async () => {
      await queries.invalidateQueries()
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    send.mutate({ from: typedIn(form, 'from'), to: typedIn(form, 'to') })
  }
  const refused = [...refusedOf(send.error, '_resend_from'), ...refusedOf(send.error, '_resend_to')]
  return (
    <Dialog title={t('Send again everything of a time')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p>
          {t(
            'What happened then is sent again, also what the receiver took already: it knows a repeated event by its id. At most 10,000 events at once.',
          )}
        </p>
        {send.error === null || refused.length > 0 ? null : <Problems error={send.error} />}
        <TextField
          label={t('From')}
          name="from"
          type="datetime-local"
          step={1}
          required
          refused={refusedOf(send.error, '_resend_from')}
        />
        <TextField
          label={t('To')}
          name="to"
          type="datetime-local"
          step={1}
          hint={t('Until now, when it is empty.')}
          refused={refusedOf(send.error, '_resend_to')}
        />
        <button type="submit" className="button primary self-start" disabled={send.isPending}>
          {t('Send again')}
        </button>
      </form>
    </Dialog>
  )
}
