/** Changes a record of any type. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { RecordForm } from './record-form.tsx'
import { writtenAddress } from './record-link.tsx'
import { nameOf, recordType } from './types.ts'
import { readToEdit } from './write-records.ts'

export const EditRecord = () => {
  const { type, id } = useParams({ from: '/records/$type/$id/edit' })
  recordType(type)
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery({
    queryKey: ['edit', type, id],
    queryFn: () => readToEdit(type, id),
    // What is being changed must not change by itself.
    staleTime: Infinity,
    gcTime: 0,
  })
  if (data === undefined)
    return error === null ? <Loading of={t('the record')} /> : <Problems error={error} />
  return (
    <div className="flex flex-col gap-5">
      <p className="flex flex-wrap gap-4">
        <Link to="/records/$type/$id" params={{ type, id }} className="underline underline-offset-2">
          {nameOf(type, data.record)}
        </Link>
        <button type="button" className="underline underline-offset-2" onClick={() => void refetch()}>
          {t('Load it again')}
        </button>
      </p>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
        {t('Change {name}', { name: nameOf(type, data.record) })}
      </h1>
      <RecordForm
        key={data.tag}
        type={type}
        operation="update"
        id={id}
        tag={data.tag}
        before={data.values}
        onDone={() => void navigate(writtenAddress(type, id))}
      />
    </div>
  )
}
