/** The audit log: who did what to which record, from where, newest first. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { formatCount, formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import type { TextSearch } from '../parts/text-search.ts'
import { listProvisioned, type AuditEvent } from './provisioning.ts'

const readEvents = ({ text, page = 1 }: TextSearch) =>
  listProvisioned('audit_events', {
    sort: '-id',
    'page[number]': String(page),
    ...(text === undefined ? {} : { 'filter[q][actor_or_subject_id_or_origin_cont]': text }),
  })

const Details = ({ event }: { readonly event: AuditEvent }) => {
  const entries = Object.entries(event.attributes.details)
  return (
    <ul>
      {entries.map(([name, value]) => (
        <li key={name} className="break-all">
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </li>
      ))}
    </ul>
  )
}

const EventRow = ({ event }: { readonly event: AuditEvent }) => {
  const { action, actor, origin, subject_type, subject_id, created_at } = event.attributes
  return (
    <tr>
      <td className="whitespace-nowrap">{formatTime(created_at)}</td>
      <td>
        <code>{action}</code>
      </td>
      <td className="break-all">
        {actor}
        <div className="text-sm text-soft">{origin}</div>
      </td>
      <td className="break-all">
        {subject_type} {subject_id}
      </td>
      <td>
        <Details event={event} />
      </td>
    </tr>
  )
}

export const Audit = () => {
  const search = useSearch({ from: '/settings/audit' })
  const navigate = useNavigate({ from: '/settings/audit' })
  const input = useRef<HTMLInputElement>(null)
  const { data, error } = useQuery({
    queryKey: ['provisioning', 'audit', search],
    queryFn: () => readEvents(search),
    placeholderData: keepPreviousData,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    void navigate({ search: text === '' ? {} : { text } })
  }
  return (
    <>
      <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <label className="flex flex-col gap-1 text-sm text-soft">
          {t('Who, from where, or an id')}
          <input ref={input} type="search" defaultValue={search.text ?? ''} className="control w-72" />
        </label>
        <button type="submit" className="button">
          {t('Search')}
        </button>
      </form>
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={t('the audit log')} /> : null}
      {data === undefined ? null : (
        <>
          <p className="text-soft" role="status">
            {t('{count} found', { count: formatCount(data.meta.record_count) })}
          </p>
          {data.data.length === 0 ? (
            <p className="card">{t('Nothing matches. Search for less.')}</p>
          ) : (
            <Table
              label={t('Audit log')}
              heads={[t('When'), t('What'), t('Who'), t('To what'), t('Details')]}
            >
              {data.data.map((event) => (
                <EventRow key={event.id} event={event} />
              ))}
            </Table>
          )}
          <Pages
            page={search.page ?? 1}
            pageCount={data.meta.page_count}
            linkTo={(to, label) => (
              <Link to="/settings/audit" search={{ ...search, page: to }} className="button">
                {label}
              </Link>
            )}
          />
        </>
      )}
    </>
  )
}
