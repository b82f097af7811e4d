/** One record of any type: all its attributes, and what it is related to, read when somebody opens it. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { readRecord, readRelated } from './read-records.ts'
import { RecordActions } from './record-actions.tsx'
import { RecordLink } from './record-link.tsx'
import { isRetrievable, nameOf, recordType, titleOf, type CoreRecord } from './types.ts'
import { Value } from './value.tsx'

const Attributes = ({ type, record }: { readonly type: string; readonly record: CoreRecord }) => {
  const { attributes } = recordType(type)
  const names = Object.keys(attributes).filter((name) => name in record.attributes)
  return (
    <section aria-labelledby="attributes" className="flex flex-col gap-3">
      <h2 id="attributes" className="text-lg font-semibold">
        {t('Attributes')}
      </h2>
      <dl className="card grid gap-x-4 gap-y-2 sm:grid-cols-[auto_1fr]">
        <dt className="text-soft">{t('Id')}</dt>
        <dd>{record.id}</dd>
        {names.map((name) => (
          <div key={name} className="contents">
            <dt className="text-soft">{labelOf(name)}</dt>
            <dd className="min-w-0 break-all">
              <Value kind={attributes[name]} value={record.attributes[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const LINK = 'underline underline-offset-2'

const Record = ({ record }: { readonly record: CoreRecord }) => {
  const { id, type } = record
  return isRetrievable(type) ? (
    <RecordLink type={type} id={id}>
      {nameOf(type, record)}
    </RecordLink>
  ) : (
    id
  )
}

const Records = ({ records }: { readonly records: readonly CoreRecord[] }) =>
  records.length === 0 ? (
    <p className="text-soft">{t('None.')}</p>
  ) : (
    <ul className="flex flex-col gap-1">
      {records.map((record) => (
        <li key={record.id} className="break-all">
          <Record record={record} />
        </li>
      ))}
    </ul>
  )

interface RelatedProps {
  readonly type: string
  readonly id: string
  readonly relationship: string
}

const Related = ({ type, id, relationship }: RelatedProps) => {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['related', type, id, relationship],
    queryFn: () => readRelated(type, id, relationship),
    enabled: isOpen,
  })
  return (
    <details className="card py-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{labelOf(relationship)}</summary>
      {error === null ? null : <Problems error={error} />}
      {isOpen && data === undefined && error === null ? <Loading of={labelOf(relationship)} /> : null}
      {data === undefined ? null : <Records records={data} />}
    </details>
  )
}

export const RecordPage = () => {
  const { type, id } = useParams({ from: '/records/$type/$id' })
  const { isSingleton = false, relationships } = recordType(type)
  const { data: record, error } = useQuery({
    queryKey: ['record', type, id],
    queryFn: () => readRecord(type, id),
  })
  if (record === undefined)
    return error === null ? <Loading of={t('the record')} /> : <Problems error={error} />
  const related = Object.keys(relationships).filter((name) => name in (record.relationships ?? {}))
  return (
    <div className="flex flex-col gap-6">
      <p>
        {isSingleton ? (
          <Link to="/records" className={LINK}>
            {t('Records')}
          </Link>
        ) : (
          <Link to="/records/$type" params={{ type }} className={LINK}>
            {titleOf(type)}
          </Link>
        )}
      </p>
      <h1 className="text-2xl font-semibold tracking-tight break-all">{nameOf(type, record)}</h1>
      <RecordActions type={type} record={record} />
      <div className="grid gap-6 lg:grid-cols-3">
        <div className="min-w-0 lg:col-span-2">
          <Attributes type={type} record={record} />
        </div>
        <section aria-labelledby="related" className="flex min-w-0 flex-col gap-2">
          <h2 id="related" className="text-lg font-semibold">
            {t('Related')}
          </h2>
          {related.map((relationship) => (
            <Related key={`${type} ${id} ${relationship}`} {...{ type, id, relationship }} />
          ))}
        </section>
      </div>
    </div>
  )
}
