/** A new export: a type, filters, columns and a format; core counts the records and writes the file. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { SelectField } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { recordType, titleOf } from '../records/types.ts'
import { exportTypes, filtersOf, RECORDS_MAX } from './bulk-types.ts'
import {
  isComplete,
  newFilter,
  predicatesOf,
  takesNoValue,
  toFilters,
  type ExportFilter,
} from './export-filters.ts'
import { startJob } from './jobs.ts'

const PREDICATE_NAMES: Readonly<Record<string, () => string>> = {
  eq: () => t('is'),
  not_eq: () => t('is not'),
  start: () => t('begins with'),
  cont: () => t('contains'),
  gteq: () => t('is at least'),
  lteq: () => t('is at most'),
  null: () => t('is empty'),
  not_null: () => t('is not empty'),
  true: () => t('is yes'),
  false: () => t('is no'),
}

interface FilterProps {
  readonly type: string
  readonly filter: ExportFilter
  readonly onChange: (filter: ExportFilter) => void
  readonly onRemove: () => void
}

const Filter = ({ type, filter, onChange, onRemove }: FilterProps) => {
  const { name, predicate, value } = filter
  const choose = (chosen: string) =>
    onChange({ name: chosen, predicate: predicatesOf(type, chosen)[0] ?? 'eq', value: '' })
  return (
    <li className="flex flex-wrap items-center gap-2">
      <select
        className="control max-w-full"
        aria-label={t('Attribute')}
        value={name}
        onChange={({ target }) => choose(target.value)}
      >
        {Object.keys(filtersOf(type)).map((each) => (
          <option key={each} value={each}>
            {labelOf(each)}
          </option>
        ))}
      </select>
      <select
        className="control"
        aria-label={t('Comparison')}
        value={predicate}
        onChange={({ target }) => onChange({ ...filter, predicate: target.value })}
      >
        {predicatesOf(type, name).map((each) => (
          <option key={each} value={each}>
            {PREDICATE_NAMES[each]?.() ?? each}
          </option>
        ))}
      </select>
      {takesNoValue(predicate) ? null : (
        <input
          type={filtersOf(type)[name] === 'instant' ? 'date' : 'text'}
          className="control"
          aria-label={t('Value')}
          value={value}
          onChange={({ target }) => onChange({ ...filter, value: target.value })}
        />
      )}
      <button
        type="button"
        className="button"
        aria-label={t('Remove {name}', { name: labelOf(name) })}
        onClick={onRemove}
      >
        ×
      </button>
    </li>
  )
}

interface FiltersProps {
  readonly type: string
  readonly filters: readonly ExportFilter[]
  readonly onChange: (filters: readonly ExportFilter[]) => void
}

const Filters = ({ type, filters, onChange }: FiltersProps) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="pb-1 text-sm text-soft">{t('Filters')}</legend>
    <ul className="flex flex-col gap-2">
      {filters.map((filter, at) => (
        <Filter
          // Two filters may be the same.
          key={at}
          type={type}
          filter={filter}
          onChange={(changed) => onChange(filters.with(at, changed))}
          onRemove={() => onChange(filters.toSpliced(at, 1))}
        />
      ))}
    </ul>
    <button
      type="button"
      className="button self-start"
      onClick={() => onChange([...filters, newFilter(type)])}
    >
      {t('Add a filter')}
    </button>
  </fieldset>
)

interface FieldsProps {
  readonly type: string
  readonly left: ReadonlySet<string>
  readonly onToggle: (name: string) => void
}

const Fields = ({ type, left, onToggle }: FieldsProps) => (
  <details>
    <summary>{t('Columns')}</summary>
    <ul className="grid gap-1 pt-2 sm:grid-cols-2">
      {fieldsOf(type).map((name) => (
        <li key={name}>
          <label className="flex items-center gap-2">
            <input type="checkbox" checked={!left.has(name)} onChange={() => onToggle(name)} />
            {labelOf(name)}
          </label>
        </li>
      ))}
    </ul>
  </details>
)

const fieldsOf = (type: string): readonly string[] => {
  const { attributes, alone } = recordType(type)
  return Object.keys(attributes).filter((name) => !alone.includes(name))
}

interface Asked {
  readonly type: string
  readonly format: string
  readonly filters: readonly ExportFilter[]
  /** Columns that are not written. */
  readonly left: ReadonlySet<string>
  readonly isDry: boolean
}

/** Without fields core writes everything that the role may read, relationships too. */
const toAttributes = ({ type, format, filters, left, isDry }: Asked) => ({
  ...{ resource_type: type, format, filters: toFilters(type, filters), dry_data: isDry },
  ...(left.size === 0 ? {} : { fields: fieldsOf(type).filter((name) => !left.has(name)) }),
})

const useAsked = (types: readonly string[]) => {
  const [asked, setAsked] = useState<Asked>({
    ...{ type: types.find((type) => type === 'skus') ?? types[0] ?? '', format: 'csv', isDry: false },
    ...{ filters: [], left: new Set<string>() },
  })
  const change = (changed: Partial<Asked>) => setAsked((before) => ({ ...before, ...changed }))
  const toggle = (name: string) =>
    change({
      left: new Set(fieldsOf(asked.type).filter((field) => asked.left.has(field) !== (field === name))),
    })
  return { asked, change, toggle }
}

export const NewExport = () => {
  const may = useMay()
  const types = exportTypes.filter((type) => may('read', type))
  return types.length === 0 ? (
    <p className="card">{t('Your role may export nothing.')}</p>
  ) : (
    <ExportForm types={types} />
  )
}

const ExportForm = ({ types }: { readonly types: readonly string[] }) => {
  const navigate = useNavigate()
  const { asked, change, toggle } = useAsked(types)
  const { type, format, filters, left, isDry } = asked
  const start = useMutation({
    mutationFn: () => startJob('exports', toAttributes(asked)),
    onSuccess: ({ id }) => void navigate({ to: '/bulk/exports/$id', params: { id } }),
  })
  const isSendable = filters.every(isComplete) && left.size < fieldsOf(type).length
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t('New export')}</h2>
      <div className="card flex max-w-3xl flex-col gap-4">
        <SelectField
          label={t('Type')}
          value={type}
          onChange={({ target }) => change({ type: target.value, filters: [], left: new Set() })}
        >
          {types.map((each) => (
            <option key={each} value={each}>
              {titleOf(each)}
            </option>
          ))}
        </SelectField>
        <Filters type={type} filters={filters} onChange={(changed) => change({ filters: changed })} />
        <Fields type={type} left={left} onToggle={toggle} />
        <SelectField
          label={t('Format')}
          value={format}
          onChange={({ target }) => change({ format: target.value })}
        >
          <option value="csv">{t('CSV, for spreadsheets')}</option>
          <option value="json">{t('JSON, for programs')}</option>
        </SelectField>
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isDry}
            onChange={({ target }) => change({ isDry: target.checked })}
          />
          {t('Without ids, times and what is empty')}
        </label>
        <p className="text-sm text-soft">
          {t('An export has at most {count} records; filters choose them.', { count: RECORDS_MAX })}
        </p>
      </div>
      {start.error === null ? null : <Problems error={start.error} />}
      <button
        type="button"
        className="button primary self-start"
        disabled={start.isPending || !isSendable}
        onClick={() => start.mutate()}
      >
        {t('Export')}
      </button>
    </div>
  )
}
