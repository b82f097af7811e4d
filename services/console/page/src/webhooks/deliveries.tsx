/** The calls of a webhook, the newest first, with what came back. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import { isTaken, readDeliveries, type Delivery } from './webhooks.ts'

/** `404 Not Found`, or why there was no answer. */
export const Answer = ({ delivery }: { readonly delivery: Delivery }) => {
  const { response_code: code, response_message: message } = delivery.attributes
  return (
    <span className={`wrap-anywhere ${isTaken(delivery) ? 'text-good' : 'text-bad'}`}>
      {[code ?? t('No answer'), message].filter(Boolean).join(' ')}
    </span>
  )
}

interface RowProps {
  readonly webhook: string
  readonly delivery: Delivery
}

const Row = ({ webhook, delivery }: RowProps) => {
  const { id, attributes } = delivery
  return (
    <tr>
      <td className="whitespace-nowrap">
        <Link
          to="/webhooks/$id/deliveries/$delivery"
          params={{ id: webhook, delivery: id }}
          className="underline underline-offset-2"
        >
          <time dateTime={attributes.created_at}>{formatTime(attributes.created_at)}</time>
        </Link>
      </td>
      <td>
        <Answer delivery={delivery} />
      </td>
      <td className="min-w-40 wrap-anywhere">{attributes.callback_url}</td>
    </tr>
  )
}

interface DeliveriesProps {
  /** Of the webhook. */
  readonly id: string
  readonly page: number
  readonly refreshMs: number
}

export const Deliveries = ({ id, page, refreshMs }: DeliveriesProps) => {
  const mayRead = useMay()('read', 'event_callbacks')
  const { data, error } = useQuery({
    queryKey: ['deliveries', id, page],
    queryFn: () => readDeliveries(id, page),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
    enabled: mayRead,
  })
  if (!mayRead) return null
  return (
    <div className="flex flex-col gap-3">
      <h2 className="text-lg font-semibold">{t('Deliveries')}</h2>
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={t('Deliveries')} /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <p className="card">{t('Nothing was called yet, or not in the last days that are kept.')}</p>
      ) : (
        <>
          <Table label={t('Deliveries')} heads={[t('Time'), t('Answer'), t('Address')]}>
            {data.data.map((delivery) => (
              <Row key={delivery.id} webhook={id} delivery={delivery} />
            ))}
          </Table>
          <Pages
            page={page}
            pageCount={data.meta.page_count}
            linkTo={(to, label) => (
              <Link to="/webhooks/$id" params={{ id }} search={{ page: to }} className="button">
                {label}
              </Link>
            )}
          />
        </>
      )}
    </div>
  )
}
