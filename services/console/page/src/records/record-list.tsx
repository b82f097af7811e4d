/** A list of any type: its names, a search in them, pages. The address holds all of it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { formatCount } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { formOf } from './forms.ts'
import { readList, type RecordPage } from './read-records.ts'
import type { RecordSearch } from './record-search.ts'
import { columnsOf, nameOf, recordType, titleOf, type CoreRecord } from './types.ts'
import { Value } from './value.tsx'

interface OfType {
  readonly type: string
}

const Search = ({ type, search }: OfType & { readonly search: RecordSearch }) => {
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const { naming } = recordType(type)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value.trim() ?? ''
    const { filters } = search
    void navigate({
      to: '/records/$type',
      params: { type },
      search: { ...(filters === undefined ? {} : { filters }), ...(text === '' ? {} : { text }) },
    })
  }
  return (
    <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-soft">
        {labelOf(naming.join(', '))}
        <input ref={input} type="search" defaultValue={search.text ?? ''} className="control w-72" />
      </label>
      <button type="submit" className="button">
        {t('Search')}
      </button>
    </form>
  )
}

/** The filters of the address, each with a way to take it away. */
const Filters = ({ type, search }: OfType & { readonly search: RecordSearch }) => {
  const { filters = {}, page: _first, ...others } = search
  const names = Object.keys(filters)
  return names.length === 0 ? null : (
    <ul className="flex flex-wrap gap-2">
      {names.map((name) => {
        const { [name]: value, ...left } = filters
        return (
          <li key={name}>
            <Link
              to="/records/$type"
              params={{ type }}
              search={{ ...others, filters: left }}
              className="button"
              aria-label={t('Remove {name}', { name: labelOf(name) })}
            >
              {labelOf(name)} {value} ×
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

const Row = ({ type, record }: OfType & { readonly record: CoreRecord }) => {
  const definition = recordType(type)
  return (
    <tr>
      <td>
        <Link
          to="/records/$type/$id"
          params={{ type, id: record.id }}
          className="font-semibold underline underline-offset-2"
        >
          {nameOf(type, record)}
        </Link>
      </td>
      {columnsOf(definition).map((name) => (
        <td key={name} className="break-words">
          <Value kind={definition.attributes[name]} value={record.attributes[name]} />
        </td>
      ))}
    </tr>
  )
}

const Table = ({ type, rows }: OfType & { readonly rows: readonly CoreRecord[] }) => (
  <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label={titleOf(type)}>
    <table className="cells w-full border-collapse">
      <thead>
        <tr>
          <th scope="col">{t('Record')}</th>
          {columnsOf(recordType(type)).map((name) => (
            <th key={name} scope="col">
              {labelOf(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((record) => (
          <Row key={record.id} type={type} record={record} />
        ))}
      </tbody>
    </table>
  </div>
)

const Found = ({
  type,
  search,
  page,
}: OfType & { readonly search: RecordSearch; readonly page: RecordPage }) => (
  <>
    <p className="text-soft" role="status">
      {t('{count} found', { count: formatCount(page.meta.record_count) })}
    </p>
    {page.data.length === 0 ? (
      <p className="card">
        {search.text === undefined && search.filters === undefined
          ? t('There are no {type} yet.', { type: titleOf(type) })
          : t('Nothing matches. Search for less.')}
      </p>
    ) : (
      <Table type={type} rows={page.data} />
    )}
    <Pages
      page={search.page ?? 1}
      pageCount={page.meta.page_count}
      linkTo={(to, label) => (
        <Link to="/records/$type" params={{ type }} search={{ ...search, page: to }} className="button">
          {label}
        </Link>
      )}
    />
  </>
)

export const RecordList = () => {
  const { type } = useParams({ from: '/records/$type' })
  const search = useSearch({ from: '/records/$type' })
  const { naming, isSingleton = false } = recordType(type)
  const may = useMay()
  const mayCreate = formOf(type).operations.includes('create') && may('create', type)
  const { data, error } = useQuery({
    queryKey: ['records', type, search],
    queryFn: () => readList(type, search),
    placeholderData: keepPreviousData,
    enabled: !isSingleton,
  })
  if (isSingleton) return <Navigate to="/records/$type/$id" params={{ type, id: 'this' }} replace />
  return (
    <div className="flex flex-col gap-5">
      <p>
        <Link to="/records" className="underline underline-offset-2">
          {t('Records')}
        </Link>
      </p>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">{titleOf(type)}</h1>
        {mayCreate ? (
          <Link to="/records/$type/new" params={{ type }} className="button primary">
            {t('New')}
          </Link>
        ) : null}
      </div>
      {naming.length === 0 ? null : (
        <Search key={`${type} ${search.text ?? ''}`} type={type} search={search} />
      )}
      <Filters type={type} search={search} />
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={titleOf(type)} /> : null}
      {data === undefined ? null : <Found type={type} search={search} page={data} />}
    </div>
  )
}
