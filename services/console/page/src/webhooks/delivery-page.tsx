/** One call of a webhook: what was sent, what came back, and the same event again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { RecordLink } from '../records/record-link.tsx'
import { titleOf } from '../records/types.ts'
import { startRecordTrigger } from '../records/write-records.ts'
import { Answer } from './deliveries.tsx'
import { findEvent, readDelivery, readWebhook, recordOf, type Delivery } from './webhooks.ts'

const Facts = ({ delivery }: { readonly delivery: Delivery }) => {
  const { created_at: time, callback_url: address } = delivery.attributes
  const record = recordOf(delivery)
  return (
    <dl className="card grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
      <dt className="text-soft">{t('Time')}</dt>
      <dd>{formatTime(time)}</dd>
      <dt className="text-soft">{t('Address')}</dt>
      <dd className="wrap-anywhere">{address}</dd>
      <dt className="text-soft">{t('Answer')}</dt>
      <dd>
        <Answer delivery={delivery} />
      </dd>
      {record === undefined ? null : (
        <>
          <dt className="text-soft">{t('Record')}</dt>
          <dd>
            <RecordLink {...record}>
              {titleOf(record.type)} {record.id}
            </RecordLink>
          </dd>
        </>
      )}
    </dl>
  )
}

interface SendAgainProps {
  readonly delivery: Delivery
  readonly topic: string
}

/** Core sends an event to all webhooks of its topic. */
const SendAgain = ({ delivery, topic }: SendAgainProps) => {
  const queries = useQueryClient()
  const { data: event, error } = useQuery({
    queryKey: ['event', delivery.id],
    queryFn: async () => (await findEvent(delivery, topic)) ?? null,
  })
  const send = useMutation({
    mutationFn: (id: string) => startRecordTrigger('events', id, '_trigger'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  })
  if (event === undefined) return error === null ? null : <Problems error={error} />
  if (event === null)
    return (
      <p className="text-soft">
        {t(
          'Its event cannot be found any more, so it cannot be sent alone. The webhook can send again everything of a time.',
        )}
      </p>
    )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <button type="button" className="button" disabled={send.isPending} onClick={() => send.mutate(event)}>
        {t('Send this event again, to every webhook of {topic}', { topic })}
      </button>
      <span role="status" className="text-soft">
        {send.isSuccess ? t('It is sent again now.') : null}
      </span>
      {send.error === null ? null : <Problems error={send.error} />}
    </div>
  )
}

const Body = ({ payload }: { readonly payload: unknown }) => {
  const text = JSON.stringify(payload, null, 2)
  return (
    <div className="flex flex-col items-stretch gap-3">
      <h2 className="text-lg font-semibold">{t('Body')}</h2>
      <div>
        <CopyButton text={text} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={t('Body')}
        dir="ltr"
        className="card m-0 max-h-[32rem] overflow-auto text-sm"
      >
        {text}
      </pre>
    </div>
  )
}

export const DeliveryPage = () => {
  const { id, delivery: callback } = useParams({ from: '/webhooks/$id/deliveries/$delivery' })
  const may = useMay()
  const webhook = useQuery({ queryKey: ['webhook', id], queryFn: () => readWebhook(id) })
  const { data: delivery, error } = useQuery({
    queryKey: ['delivery', callback],
    queryFn: () => readDelivery(callback),
  })
  if (delivery === undefined)
    return error === null ? <Loading of={t('the delivery')} /> : <Problems error={error} />
  const { name, topic } = webhook.data?.attributes ?? {}
  return (
    <div className="flex flex-col gap-6">
      <p>
        <Link to="/webhooks/$id" params={{ id }} className="underline underline-offset-2">
          {name ?? id}
        </Link>
      </p>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
        {t('Delivery of {topic}', { topic: topic ?? '' })}
      </h1>
      {webhook.error === null ? null : <Problems error={webhook.error} />}
      <Facts delivery={delivery} />
      {topic === undefined || !may('update', 'events') ? null : (
        <SendAgain delivery={delivery} topic={topic} />
      )}
      <Body payload={delivery.attributes.payload ?? null} />
      <p className="text-sm text-soft">{t('Of an answer its status is kept, not its body.')}</p>
    </div>
  )
}
