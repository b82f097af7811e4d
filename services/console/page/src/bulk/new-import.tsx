/** A new import: a CSV file is read and checked in the page, shown, and sent. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useMemo, useState } from 'react'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { toCsv } from '../parts/csv.ts'
import { SelectField } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import type { Link } from '../records/form-values.ts'
import { RecordPicker } from '../records/record-picker.tsx'
import { titleOf } from '../records/types.ts'
import { importType, importTypes } from './bulk-types.ts'
import { checkCsv, type CheckedCsv } from './check-csv.ts'
import { ImportPreview } from './import-preview.tsx'
import { startJob } from './jobs.ts'
import { readCsvFile, type CsvFile, type ReadCsv } from './read-csv.ts'

interface ParentProps {
  readonly type: string
  readonly parent: readonly Link[]
  readonly onChange: (parent: readonly Link[]) => void
}

/** Such as the price list of all prices in the file. */
const Parent = ({ type, parent, onChange }: ParentProps) => {
  const { parent: relationship, parentType } = importType(type)
  return relationship === undefined || parentType === undefined ? null : (
    <RecordPicker
      label={t('{relationship} of all rows that name none', { relationship: labelOf(relationship) })}
      targets={[parentType]}
      isMany={false}
      isRequired={false}
      links={parent}
      refused={[]}
      onChange={onChange}
    />
  )
}

/** How core tells the records of a file that are there already. */
const keysText = (type: string): string => {
  const keys = importType(type).keys.map((columns) =>
    columns.map((column) => titleOf(column.replace(/_id$/, ''))).join(' + '),
  )
  return t('Records that are there already are changed, the others made. They are told apart by: {keys}.', {
    keys: [t('Id'), ...keys].join(', '),
  })
}

const FileField = ({ onRead }: { readonly onRead: (file: ReadCsv) => void }) => {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm text-soft">
        {t('CSV file')}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,text/csv"
        className="control max-w-full"
        onChange={({ target: { files } }) => {
          const [file] = files ?? []
          if (file !== undefined) void readCsvFile(file).then(onRead)
        }}
      />
      <p className="text-sm text-soft">
        {t(
          'The first line names attributes, such as code, or what is related: price_list.code. Exported files can be imported.',
        )}
      </p>
    </div>
  )
}

interface Chosen {
  readonly type: string
  readonly parent: readonly Link[]
  readonly skipsErrors: boolean
}

const useStart = () => {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ type, parent, skipsErrors, file }: Chosen & { readonly file: CsvFile }) =>
      startJob('imports', {
        resource_type: type,
        format: 'csv',
        skip_errors: skipsErrors,
        ...(parent[0] === undefined ? {} : { parent_resource_id: parent[0].id }),
        // What was shown is what is sent.
        inputs: toCsv([file.names, ...file.rows]),
      }),
    onSuccess: ({ id }) => void navigate({ to: '/bulk/imports/$id', params: { id } }),
  })
}

const isSendable = ({ uses }: CheckedCsv): boolean => uses.every(({ kind }) => kind !== 'refused')

export const NewImport = () => {
  const may = useMay()
  const types = importTypes.filter((type) => may('create', type) && may('update', type))
  const [chosenType, setType] = useState('')
  const [parent, setParent] = useState<readonly Link[]>([])
  const [skipsErrors, setSkipsErrors] = useState(false)
  const [read, setRead] = useState<ReadCsv>()
  const start = useStart()
  const type = types.includes(chosenType) ? chosenType : (types.find((each) => each === 'skus') ?? types[0])
  const file = read === undefined || 'problem' in read ? undefined : read
  const checked = useMemo(
    () => (file === undefined || type === undefined ? undefined : checkCsv(type, file, parent.length > 0)),
    [file, type, parent],
  )
  if (type === undefined) return <p className="card">{t('Your role may import nothing.')}</p>
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t('New import')}</h2>
      <div className="card flex max-w-3xl flex-col gap-4">
        <SelectField
          label={t('Type')}
          hint={keysText(type)}
          value={type}
          onChange={({ target }) => {
            setType(target.value)
            setParent([])
          }}
        >
          {types.map((each) => (
            <option key={each} value={each}>
              {titleOf(each)}
            </option>
          ))}
        </SelectField>
        <Parent key={type} type={type} parent={parent} onChange={setParent} />
        <FileField onRead={setRead} />
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={skipsErrors}
            onChange={({ target }) => setSkipsErrors(target.checked)}
          />
          {t('Go on, however many records are refused')}
        </label>
      </div>
      {read !== undefined && 'problem' in read ? (
        <p role="alert" className="text-bad">
          {read.problem}
        </p>
      ) : null}
      {checked === undefined ? null : (
        <>
          <ImportPreview type={type} checked={checked} stops={!skipsErrors} />
          {start.error === null ? null : <Problems error={start.error} />}
          <button
            type="button"
            className="button primary self-start"
            disabled={start.isPending || !isSendable(checked)}
            onClick={() => start.mutate({ type, parent, skipsErrors, file: checked })}
          >
            {t('{count, plural, one {Import # record} other {Import # records}}', {
              count: checked.rows.length,
            })}
          </button>
        </>
      )}
    </div>
  )
}
