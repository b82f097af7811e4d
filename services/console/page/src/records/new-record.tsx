/** Makes a record of any type. */
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { t } from '../language/text.ts'
import { formOf } from './forms.ts'
import { RecordForm } from './record-form.tsx'
import { writtenAddress } from './record-link.tsx'
import { recordType, titleOf } from './types.ts'
import { newValues } from './write-records.ts'

export const NewRecord = () => {
  const { type } = useParams({ from: '/records/$type/new' })
  recordType(type)
  const navigate = useNavigate()
  const before = useMemo(() => newValues(type), [type])
  return (
    <div className="flex flex-col gap-5">
      <p>
        <Link to="/records/$type" params={{ type }} className="underline underline-offset-2">
          {titleOf(type)}
        </Link>
      </p>
      <h1 className="text-2xl font-semibold tracking-tight">{t('New in {type}', { type: titleOf(type) })}</h1>
      {formOf(type).operations.includes('create') ? (
        <RecordForm
          key={type}
          type={type}
          operation="create"
          before={before}
          onDone={({ type: made, id }) => void navigate(writtenAddress(made, id))}
        />
      ) : (
        <p className="card">{t('Records of this type are made by the shop itself.')}</p>
      )}
    </div>
  )
}
