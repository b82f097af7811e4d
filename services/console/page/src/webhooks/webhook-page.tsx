/** One webhook: whether it works, what can be done with it, and its deliveries. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { formatCount, formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookActions } from './webhook-actions.tsx'
import { readWebhook, stateOf, type Webhook } from './webhooks.ts'

/** Calls are made by the shop in its own time, so the screen looks again. */
const REFRESH_MS = 5_000

const Secret = ({ secret }: { readonly secret: string }) => (
  <details className="card py-3">
    <summary>{t('Shared secret')}</summary>
    <div className="flex flex-wrap items-center gap-3 pt-3">
      <code className="wrap-anywhere">{secret}</code>
      <CopyButton text={secret} />
    </div>
    <p className="pt-2 text-sm text-soft">
      {t(
        'With it the receiver checks that a call is of this shop: docs/how-to/receive-webhooks.md says how.',
      )}
    </p>
  </details>
)

const Facts = ({ webhook: { attributes } }: { readonly webhook: Webhook }) => (
  <dl className="card grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
    <dt className="text-soft">{t('Topic')}</dt>
    <dd className="wrap-anywhere">{attributes.topic}</dd>
    <dt className="text-soft">{t('Address')}</dt>
    <dd className="wrap-anywhere">{attributes.callback_url}</dd>
    <dt className="text-soft">{t('Sent with it')}</dt>
    <dd className="wrap-anywhere">{(attributes.include_resources ?? []).join(', ') || '–'}</dd>
    <dt className="text-soft">{t('Failures in a row')}</dt>
    <dd>{formatCount(attributes.circuit_failure_count ?? 0)}</dd>
    <dt className="text-soft">{t('Created at')}</dt>
    <dd>{formatTime(attributes.created_at)}</dd>
  </dl>
)

export const WebhookPage = () => {
  const { id } = useParams({ from: '/webhooks/$id' })
  const { page = 1 } = useSearch({ from: '/webhooks/$id' })
  const { data: webhook, error } = useQuery({
    queryKey: ['webhook', id],
    queryFn: () => readWebhook(id),
    refetchInterval: REFRESH_MS,
  })
  if (webhook === undefined)
    return error === null ? <Loading of={t('the webhook')} /> : <Problems error={error} />
  const { name, shared_secret: secret } = webhook.attributes
  return (
    <div className="flex flex-col gap-6">
      <p>
        <Link to="/webhooks" className="underline underline-offset-2">
          {t('Webhooks')}
        </Link>
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{name ?? id}</h1>
        <State state={stateOf(webhook)} />
      </div>
      {error === null ? null : <Problems error={error} />}
      {stateOf(webhook) === 'stopped' ? (
        <p className="text-bad">
          {t(
            'Its circuit is open after too many failures: nothing is called. What happens meanwhile is kept, and sent when the circuit is reset.',
          )}
        </p>
      ) : null}
      <WebhookActions webhook={webhook} />
      <Facts webhook={webhook} />
      {secret === undefined ? null : <Secret secret={secret} />}
      <Deliveries id={id} page={page} refreshMs={REFRESH_MS} />
    </div>
  )
}
