/** The filters of a question: what the catalogue has for each key, and its known values to choose from. */
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { t } from '../language/text.ts'
import { Field, SelectField } from '../parts/field.tsx'
import { useKnownValues } from './ask.ts'
import {
  isTwoSided,
  listOperators,
  longNameOf,
  rangeOperators,
  resourceOf,
  type FilterKey,
  type MayRead,
} from './catalogue.ts'
import { PathSelect } from './path-select.tsx'
import { withFilter, withoutFilter, type Filter, type FilterValue, type Question } from './question.ts'

const OPERATORS: Readonly<Record<string, () => string>> = {
  in: () => t('is one of'),
  not_in: () => t('is none of'),
  is: () => t('is'),
  query: () => t('contains'),
  eq: () => '=',
  ne: () => '≠',
  gt: () => '>',
  gte: () => '≥',
  lt: () => '<',
  lte: () => '≤',
  gt_lt: () => '> … <',
  gte_lte: () => '≥ … ≤',
  gte_lt: () => '≥ … <',
  gt_lte: () => '> … ≤',
}

export const comparisonName = (operator: string): string => OPERATORS[operator]?.() ?? operator

const textOf = (value: FilterValue): string => {
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  return Array.isArray(value) ? value.join(', ') : String(value)
}

interface ChipProps {
  readonly filter: Filter
  readonly onRemove: () => void
}

const Chip = ({ filter: [path, operator, value], onRemove }: ChipProps) => (
  <li className="flex items-start justify-between gap-2 rounded-lg border border-line px-2.5 py-1.5 text-sm">
    <span className="min-w-0 break-words">
      <span className="text-soft">{longNameOf(path)}</span> {comparisonName(operator)}{' '}
      <strong className="font-semibold">{textOf(value)}</strong>
    </span>
    <button
      type="button"
      aria-label={t('Remove the filter {name}', { name: longNameOf(path) })}
      className="px-1 text-soft hover:text-text"
      onClick={onRemove}
    >
      ×
    </button>
  </li>
)

/** Several at once, separated by commas. */
const itemsOf = (text: string, { item }: FilterKey): readonly (string | number)[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => (item === 'integer' ? Number(each) : each))

const toInstant = (text: string): string => (text === '' ? '' : `${text}T00:00:00Z`)

const valueOf = (form: FormData, key: FilterKey, operator: string): FilterValue => {
  const read = (name: string): string => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }
  const operand = (name: string) => (key.item === 'datetime' ? toInstant(read(name)) : Number(read(name)))
  switch (key.kind) {
    case 'boolean':
      return read('value') === 'true'
    case 'list':
      return itemsOf(
        form
          .getAll('value')
          .filter((each) => typeof each === 'string')
          .join(','),
        key,
      )
    case 'range':
      return isTwoSided(operator) ? [operand('value'), operand('high')] : operand('value')
    case 'string':
    case 'query':
      return read('value')
  }
}

const KnownValues = ({
  question,
  filterKey,
}: {
  readonly question: Question
  readonly filterKey: FilterKey
}) => {
  const id = useId()
  const [isWanted, setWanted] = useState(false)
  const isBy = resourceOf(question.of).attributes[filterKey.attribute]?.by === true
  const { data = [] } = useKnownValues(question, filterKey.attribute, isWanted && isBy)
  return (
    <Field label={t('Values')} hint={t('Several are separated by commas.')}>
      {(about) => (
        <>
          <input
            name="value"
            required
            list={id}
            className="control w-full"
            onFocus={() => setWanted(true)}
            {...about}
          />
          <datalist id={id}>
            {data.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}

interface ValueProps {
  readonly question: Question
  readonly filterKey: FilterKey
  readonly operator: string
}

const ValueFields = ({ question, filterKey, operator }: ValueProps) => {
  const { kind, values, item } = filterKey
  if (kind === 'boolean')
    return (
      <SelectField label={t('Value')} name="value">
        <option value="true">{t('Yes')}</option>
        <option value="false">{t('No')}</option>
      </SelectField>
    )
  if (values !== undefined)
    return (
      <SelectField
        label={t('Values')}
        name="value"
        required
        {...(kind === 'list' ? { multiple: true, size: Math.min(values.length, 6) } : {})}
      >
        {values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </SelectField>
    )
  if (kind === 'list') return <KnownValues question={question} filterKey={filterKey} />
  const type = kind === 'query' ? 'text' : item === 'datetime' ? 'date' : 'number'
  const steps = type === 'number' ? { step: item === 'integer' ? 1 : 'any' } : {}
  return (
    <div className="grid grid-cols-2 gap-2">
      <Field label={isTwoSided(operator) ? t('From') : t('Value')}>
        {(about) => (
          <input name="value" type={type} required className="control w-full" {...steps} {...about} />
        )}
      </Field>
      {isTwoSided(operator) ? (
        <Field label={t('To')}>
          {(about) => (
            <input name="high" type={type} required className="control w-full" {...steps} {...about} />
          )}
        </Field>
      ) : null}
    </div>
  )
}

const operatorsOf = (key: FilterKey): readonly string[] => {
  if (key.kind === 'range') return rangeOperators
  if (key.kind === 'list') return key.operators ?? listOperators
  return [key.kind === 'query' ? 'query' : 'is']
}

interface FilterEditorProps {
  readonly question: Question
  readonly mayRead: MayRead
  readonly onChange: (question: Question) => void
}

const NewFilter = ({ question, mayRead, onChange }: FilterEditorProps) => {
  const [path, setPath] = useState('')
  const [operator, setOperator] = useState('')
  const { filters, attributes, record } = resourceOf(question.of)
  const key = filters[path]
  const paths = Object.entries(filters)
    .filter(([, { attribute }]) => (attributes[attribute]?.tells ?? []).every(mayRead))
    .map(([name]) => name)
  const choose = (chosen: string) => {
    setPath(chosen)
    setOperator(filters[chosen] === undefined ? '' : (operatorsOf(filters[chosen])[0] ?? ''))
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (key === undefined) return
    onChange(
      withFilter(question, [path, operator, valueOf(new FormData(event.currentTarget), key, operator)]),
    )
    choose('')
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key === 'Escape') choose('')
  }
  return (
    <form onSubmit={submit} onKeyDown={leave} className="flex flex-col gap-2">
      <PathSelect
        label={t('Add a filter')}
        paths={paths}
        record={record}
        value={path}
        none={t('Choose what to filter by')}
        onChange={choose}
      />
      {key === undefined ? null : (
        <>
          {operatorsOf(key).length === 1 ? null : (
            <SelectField
              label={t('Condition')}
              value={operator}
              onChange={({ target }) => setOperator(target.value)}
            >
              {operatorsOf(key).map((name) => (
                <option key={name} value={name}>
                  {comparisonName(name)}
                </option>
              ))}
            </SelectField>
          )}
          <ValueFields key={path} question={question} filterKey={key} operator={operator} />
          <button type="submit" className="button self-start">
            {t('Filter')}
          </button>
        </>
      )}
    </form>
  )
}

export const FilterEditor = ({ question, mayRead, onChange }: FilterEditorProps) => (
  <fieldset className="flex min-w-0 flex-col gap-2">
    <legend className="mb-1 text-sm font-semibold">{t('Filters')}</legend>
    {question.filters.length === 0 ? null : (
      <ul className="flex flex-col gap-1.5">
        {question.filters.map((filter) => (
          <Chip
            key={filter[0]}
            filter={filter}
            onRemove={() => onChange(withoutFilter(question, filter[0]))}
          />
        ))}
      </ul>
    )}
    <NewFilter key={question.of} question={question} mayRead={mayRead} onChange={onChange} />
  </fieldset>
)
