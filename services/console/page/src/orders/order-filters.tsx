/** The filters of the list of orders; each is part of its address. */
import { markets } from '@commercelayer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, type FormEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { RecordPicker } from '../records/record-picker.tsx'
import { FILTER_NAMES, FILTERS, type OrderSearch } from './order-search.ts'

interface FilterProps {
  readonly search: OrderSearch
  /** @param value empty to take the filter away */
  readonly onChange: (name: Exclude<keyof OrderSearch, 'page'>, value: string) => void
}

const MarketFilter = ({ search, onChange }: FilterProps) => {
  const { market: id } = search
  const { data: market } = useQuery({
    queryKey: ['market', id],
    queryFn: () => markets.retrieve(id ?? '', { fields: { markets: ['name'] } }),
    enabled: id !== undefined,
    staleTime: Infinity,
  })
  return (
    <RecordPicker
      label={t('Market')}
      targets={['markets']}
      isMany={false}
      isRequired={false}
      links={id === undefined ? [] : [{ type: 'markets', id, name: market?.name ?? id }]}
      refused={[]}
      onChange={(links) => onChange('market', links[0]?.id ?? '')}
    />
  )
}

const Days = ({ search, onChange }: FilterProps) => (
  <>
    {(['placed_from', 'placed_to'] as const).map((name) => (
      <TextField
        key={name}
        type="date"
        label={name === 'placed_from' ? t('Placed from') : t('Placed until')}
        value={search[name] ?? ''}
        onChange={({ target }) => onChange(name, target.value)}
      />
    ))}
  </>
)

const OneOf = ({ search, onChange }: FilterProps) => (
  <>
    {FILTER_NAMES.map((name) => (
      <SelectField
        key={name}
        label={labelOf(name)}
        value={search[name] ?? ''}
        onChange={({ target }) => onChange(name, target.value)}
      >
        <option value="">{t('Any')}</option>
        {FILTERS[name].map((value) => (
          <option key={value} value={value}>
            {labelOf(value)}
          </option>
        ))}
      </SelectField>
    ))}
  </>
)

export const OrderFilters = ({ search }: Pick<FilterProps, 'search'>) => {
  const navigate = useNavigate({ from: '/orders' })
  const may = useMay()
  const text = useRef<HTMLInputElement>(null)
  const change: FilterProps['onChange'] = (name, value) => {
    const { page: _first, [name]: _before, ...others } = search
    void navigate({ search: value === '' ? others : { ...others, [name]: value } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change('text', text.current?.value.trim() ?? '')
  }
  return (
    <form role="search" onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('Number, email or reference')}
        <input ref={text} type="search" defaultValue={search.text ?? ''} className="control w-72" />
      </label>
      <button type="submit" className="button">
        {t('Search')}
      </button>
      <div className="flex w-full flex-wrap items-start gap-3">
        <OneOf search={search} onChange={change} />
        {may('read', 'markets') ? <MarketFilter search={search} onChange={change} /> : null}
        <Days search={search} onChange={change} />
      </div>
    </form>
  )
}
