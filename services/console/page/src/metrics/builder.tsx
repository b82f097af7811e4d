/** The parts of a question, each a choice of what the catalogue has. A change is asked at once. */
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import {
  intervals,
  limits,
  longNameOf,
  mayBeInside,
  membersOf,
  operatorsOf,
  pathsOf,
  rangeOperators,
  isTwoSided,
  resourceNames,
  resourceOf,
  singleNumber,
  type MayRead,
} from './catalogue.ts'
import { comparisonName, FilterEditor } from './filter-editor.tsx'
import { operatorName } from './format-value.ts'
import { PathSelect } from './path-select.tsx'
import { changeQuestion, DAYS, KINDS, type Question, type RawQuestion } from './question.ts'
import { useMayRead } from './use-may-read.ts'

interface PartProps {
  readonly question: Question
  readonly mayRead: MayRead
  readonly onChange: (changes: RawQuestion) => void
}

const INTERVALS: Readonly<Record<string, () => string>> = {
  hour: () => t('By hour'),
  day: () => t('By day'),
  week: () => t('By week'),
  month: () => t('By month'),
  year: () => t('By year'),
}

const kindNames = () => ({
  date_breakdown: t('Over time'),
  breakdown: t('By group'),
  stats: t('One number'),
  search: t('A list of records'),
})

const Select = ({
  label,
  value,
  values,
  onChoose,
}: {
  readonly label: string
  readonly value: string
  readonly values: readonly (readonly [value: string, name: string])[]
  readonly onChoose: (value: string) => void
}) => (
  <SelectField
    label={label}
    className="control w-full px-2"
    value={value}
    onChange={({ target }) => onChoose(target.value)}
  >
    {values.map(([each, name]) => (
      <option key={each} value={each}>
        {name}
      </option>
    ))}
  </SelectField>
)

const Subject = ({ question, mayRead, onChange }: PartProps) => (
  <div className="grid grid-cols-2 gap-2">
    <Select
      label={t('About')}
      value={question.of}
      values={resourceNames
        .filter((name) => mayRead(resourceOf(name).subject))
        .map((name) => [name, labelOf(name)])}
      // Nothing of another resource means the same here.
      onChoose={(of) => onChange({ ...cleared, of, kind: question.kind })}
    />
    <Select
      label={t('Answer as')}
      value={question.kind}
      values={KINDS.map((kind) => [kind, kindNames()[kind]])}
      onChoose={(kind) => onChange({ kind, by: undefined, split: '', view: undefined })}
    />
  </div>
)

const cleared: RawQuestion = {
  ...{ field: undefined, operator: undefined, by: undefined, split: '', fields: undefined, date: undefined },
  ...{ filters: [], condition: undefined, view: undefined, member: undefined },
}

const Measure = ({ question, mayRead, onChange }: PartProps) => {
  const resource = resourceOf(question.of)
  const { kind, field, operator, member } = question
  const members = membersOf(operator)
  const isMeasured = (path: string): boolean => operatorsOf(resource, kind, path).length > 0
  return (
    <>
      <PathSelect
        label={t('Of what')}
        paths={pathsOf(resource, mayRead, () => true).filter(isMeasured)}
        record={resource.record}
        value={field}
        onChange={(path) => onChange({ field: path })}
      />
      <div className="grid grid-cols-2 gap-2">
        <Select
          label={t('Calculation')}
          value={operator}
          values={operatorsOf(resource, kind, field).map((name) => [name, operatorName(name)])}
          onChoose={(name) => onChange({ operator: name, condition: undefined })}
        />
        {members.length === 0 ? null : (
          <Select
            label={t('Shown')}
            value={member}
            values={members.map((name) => [name, operatorName(name)])}
            onChoose={(name) => onChange({ member: name })}
          />
        )}
      </div>
    </>
  )
}

const Grouping = ({ question, mayRead, onChange }: PartProps) => {
  const resource = resourceOf(question.of)
  const { kind, by, interval, split } = question
  const isDate = kind === 'date_breakdown'
  const inner = pathsOf(resource, mayRead, (attribute) => attribute.by === true).filter(
    (path) => isDate || mayBeInside(resource, by, path),
  )
  return (
    <>
      <div className={isDate ? 'grid grid-cols-2 gap-2' : ''}>
        <PathSelect
          label={isDate ? t('By the date') : t('Group by')}
          paths={pathsOf(resource, mayRead, ({ by: isBy, dateBy }) => (isDate ? dateBy : isBy) === true)}
          record={resource.record}
          value={by}
          onChange={(path) => onChange({ by: path })}
        />
        {isDate ? (
          <Select
            label={t('Interval')}
            value={interval}
            values={intervals.map((name) => [name, INTERVALS[name]?.() ?? name])}
            onChoose={(name) => onChange({ interval: name })}
          />
        ) : null}
      </div>
      <PathSelect
        label={t('Divided by')}
        paths={inner}
        record={resource.record}
        value={split}
        none={t('Not divided')}
        onChange={(path) => onChange({ split: path, view: path === '' ? undefined : 'stacked' })}
      />
    </>
  )
}

/** A field of numbers is asked when one leaves it. */
const NumberField = ({
  label,
  value,
  onChange,
  ...input
}: {
  readonly label: string
  readonly value: number | undefined
  readonly min?: number
  readonly max?: number
  readonly onChange: (value: number | undefined) => void
}) => (
  <TextField
    key={value}
    label={label}
    type="number"
    step="any"
    className="w-full"
    defaultValue={value}
    onBlur={({ target }) => {
      const typed = target.value === '' ? undefined : target.valueAsNumber
      if (typed !== value) onChange(typed)
    }}
    {...input}
  />
)

const Groups = ({ question, onChange }: PartProps) => {
  const { sort, limit, operator, condition } = question
  const [name = '', value] = condition ?? []
  return (
    <>
      <div className="grid grid-cols-2 gap-2">
        <Select
          label={t('Order')}
          value={sort}
          values={[
            ['desc', t('Largest first')],
            ['asc', t('Smallest first')],
          ]}
          onChoose={(direction) => onChange({ sort: direction })}
        />
        <NumberField
          label={t('Groups')}
          min={1}
          max={limits.bucketsMax}
          value={limit}
          onChange={(typed) => onChange({ limit: typed })}
        />
      </div>
      {singleNumber.includes(operator) ? (
        <div className="grid grid-cols-2 gap-2">
          <Select
            label={t('Only groups with a value')}
            value={name}
            values={[
              ['', t('Any')],
              ...rangeOperators
                .filter((each) => !isTwoSided(each))
                .map((each) => [each, comparisonName(each)] as const),
            ]}
            onChoose={(each) =>
              onChange({ condition: each === '' ? undefined : [each, typeof value === 'number' ? value : 0] })
            }
          />
          {condition === undefined ? null : (
            <NumberField
              label={t('Value')}
              value={typeof value === 'number' ? value : undefined}
              onChange={(typed) => onChange({ condition: [name, typed ?? 0] })}
            />
          )}
        </div>
      ) : null}
    </>
  )
}

const Fields = ({ question, mayRead, onChange }: PartProps) => {
  const resource = resourceOf(question.of)
  const { fields, sort } = question
  const others = pathsOf(resource, mayRead, ({ search }) => search === true).filter(
    (path) => !fields.includes(path),
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">{t('Columns')}</legend>
      <ul className="flex flex-wrap gap-1.5">
        {fields.map((path) => (
          <li key={path} className="flex items-center gap-1 rounded-lg border border-line px-2 py-1 text-sm">
            {longNameOf(path)}
            <button
              type="button"
              className="px-1 text-soft hover:text-text"
              disabled={fields.length === 1}
              aria-label={t('Remove the column {name}', { name: longNameOf(path) })}
              onClick={() => onChange({ fields: fields.filter((each) => each !== path) })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <PathSelect
        label={t('Add a column')}
        paths={others}
        record={resource.record}
        value=""
        none={t('Choose a column')}
        onChange={(path) => onChange({ fields: [...fields, path] })}
      />
      <Select
        label={t('Order')}
        value={sort}
        values={[
          ['desc', t('Newest first')],
          ['asc', t('Oldest first')],
        ]}
        onChoose={(direction) => onChange({ sort: direction })}
      />
    </fieldset>
  )
}

const CUSTOM = 'custom'

const today = (): string => new Date().toISOString().slice(0, 10)

const PeriodPart = ({ question, onChange }: PartProps) => {
  const { of, date, days, from, to, kind, compare } = question
  const isCustom = from !== undefined
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">{t('Period')}</legend>
      <div className="grid grid-cols-2 gap-2">
        <Select
          label={t('Date')}
          value={date}
          values={resourceOf(of).dateFields.map((name) => [name, labelOf(name)])}
          onChoose={(name) => onChange({ date: name })}
        />
        <Select
          label={t('Days')}
          value={isCustom ? CUSTOM : String(days)}
          values={[
            ...DAYS.map((count) => [String(count), t('Last {count} days', { count })] as const),
            [CUSTOM, t('Days from, to')],
          ]}
          onChoose={(chosen) =>
            onChange(
              chosen === CUSTOM
                ? { from: today(), to: today() }
                : { days: Number(chosen), from: undefined, to: undefined },
            )
          }
        />
      </div>
      {isCustom ? (
        <div className="grid grid-cols-2 gap-2">
          <TextField
            label={t('From')}
            type="date"
            className="w-full"
            value={from}
            max={to}
            onChange={({ target }) => {
              if (target.value !== '')
                onChange({ from: target.value, to: target.value > (to ?? '') ? target.value : to })
            }}
          />
          <TextField
            label={t('To')}
            type="date"
            className="w-full"
            value={to ?? ''}
            min={from}
            onChange={({ target }) => {
              if (target.value !== '')
                onChange({ to: target.value, from: target.value < from ? target.value : from })
            }}
          />
        </div>
      ) : null}
      {kind === 'search' ? null : (
        <label className="flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            checked={compare}
            onChange={({ target }) => onChange({ compare: target.checked })}
          />
          {t('Compare with the period before')}
        </label>
      )}
    </fieldset>
  )
}

export interface BuilderProps {
  readonly question: Question
  readonly onChange: (question: Question) => void
}

export const Builder = ({ question, onChange }: BuilderProps) => {
  const mayRead = useMayRead()
  const part: PartProps = {
    question,
    mayRead,
    onChange: (changes) => onChange(changeQuestion(question, changes)),
  }
  const { kind } = question
  return (
    <section aria-label={t('Question')} className="card flex min-w-0 flex-col gap-3 p-4">
      <Subject {...part} />
      {kind === 'search' ? <Fields {...part} /> : <Measure {...part} />}
      {kind === 'date_breakdown' || kind === 'breakdown' ? <Grouping {...part} /> : null}
      {kind === 'breakdown' ? <Groups {...part} /> : null}
      <hr className="border-line" />
      <PeriodPart {...part} />
      <hr className="border-line" />
      <FilterEditor question={question} mayRead={mayRead} onChange={onChange} />
    </section>
  )
}
