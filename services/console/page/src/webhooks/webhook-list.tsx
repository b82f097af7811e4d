/** All webhooks: what each is about, where it calls, and whether it works. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { formatCount } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { Table } from '../parts/table.tsx'
import { WEBHOOK_STATES, type WebhookSearch, type WebhookState } from './webhook-search.ts'
import { readWebhooks, stateOf, type Webhook } from './webhooks.ts'

const Filters = ({ search }: { readonly search: WebhookSearch }) => {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const show = (state: WebhookState | undefined) => {
    const text = input.current?.value.trim() ?? ''
    void navigate({
      to: '/webhooks',
      search: { ...(text === '' ? {} : { text }), ...(state === undefined ? {} : { state }) },
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show(search.state)
  }
  return (
    <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('Name or topic')}
        <input ref={input} type="search" defaultValue={search.text ?? ''} className="control w-72" />
      </label>
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('State')}
        <select
          className="control"
          value={search.state ?? ''}
          onChange={({ target }) => show(WEBHOOK_STATES.find((state) => state === target.value))}
        >
          <option value="">{t('Any')}</option>
          {WEBHOOK_STATES.map((state) => (
            <option key={state} value={state}>
              {labelOf(state)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="button">
        {t('Search')}
      </button>
    </form>
  )
}

const Row = ({ webhook }: { readonly webhook: Webhook }) => {
  const { id, attributes } = webhook
  return (
    <tr>
      <td>
        <Link to="/webhooks/$id" params={{ id }} className="font-semibold underline underline-offset-2">
          {attributes.name ?? id}
        </Link>
      </td>
      <td>{attributes.topic}</td>
      <td className="min-w-40 wrap-anywhere">{attributes.callback_url}</td>
      <td>
        <State state={stateOf(webhook)} />
      </td>
      <td>{formatCount(attributes.circuit_failure_count ?? 0)}</td>
    </tr>
  )
}

const heads = (): readonly string[] => [
  ...[t('Name'), t('Topic'), t('Address'), t('State'), t('Failures in a row')],
]

export const WebhookList = () => {
  const search = useSearch({ from: '/webhooks' })
  const mayCreate = useMay()('create', 'webhooks')
  const { data, error } = useQuery({
    queryKey: ['webhooks', search],
    queryFn: () => readWebhooks(search),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">{t('Webhooks')}</h1>
        {mayCreate ? (
          <Link to="/records/$type/new" params={{ type: 'webhooks' }} className="button primary">
            {t('New')}
          </Link>
        ) : null}
      </div>
      <Filters key={search.text ?? ''} search={search} />
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={t('Webhooks')} /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <p className="card">
          {search.text === undefined && search.state === undefined
            ? t(
                'Nobody is called yet. A webhook calls an address of yours when something happens, such as orders.place.',
              )
            : t('Nothing matches. Search for less.')}
        </p>
      ) : (
        <>
          <p role="status" className="text-soft">
            {t('{count} found', { count: formatCount(data.meta.record_count) })}
          </p>
          <Table label={t('Webhooks')} heads={heads()}>
            {data.data.map((webhook) => (
              <Row key={webhook.id} webhook={webhook} />
            ))}
          </Table>
          <Pages
            page={search.page ?? 1}
            pageCount={data.meta.page_count}
            linkTo={(to, label) => (
              <Link to="/webhooks" search={{ ...search, page: to }} className="button">
                {label}
              </Link>
            )}
          />
        </>
      )}
    </div>
  )
}
