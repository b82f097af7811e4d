/** Chooses records of a relationship: a search in their names, or an id for types that have none. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId, useState, type KeyboardEvent } from 'react'
import { t } from '../language/text.ts'
import { Problems } from '../parts/problems.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { findByName } from './find-records.ts'
import type { Link } from './form-values.ts'
import { recordType, titleOf } from './types.ts'

interface PickerProps {
  readonly label: string
  readonly targets: readonly string[]
  readonly isMany: boolean
  readonly isRequired: boolean
  readonly links: readonly Link[]
  readonly refused: readonly string[]
  readonly onChange: (links: readonly Link[]) => void
}

const Chosen = ({ link, onRemove }: { readonly link: Link; readonly onRemove: () => void }) => (
  <li className="flex items-center gap-2 rounded-lg bg-ground px-3 py-1">
    <span className="wrap-anywhere">{link.name}</span>
    <button
      type="button"
      className="text-soft hover:text-text"
      aria-label={t('Remove {name}', { name: link.name })}
      onClick={onRemove}
    >
      ×
    </button>
  </li>
)

const useFound = (target: string, text: string, isOpen: boolean) => {
  const settled = useSettled(text.trim())
  const isSearchable = recordType(target).naming.length > 0
  const { data = [], error } = useQuery({
    queryKey: ['find', target, settled],
    queryFn: () => findByName(target, settled),
    enabled: isOpen && isSearchable,
    placeholderData: keepPreviousData,
  })
  // Whoever has only an id may use it.
  const byId: readonly Link[] =
    text.trim() === '' ? [] : [{ type: target, id: text.trim(), name: t('the id {id}', { id: text.trim() }) }]
  return { found: [...(isSearchable ? data : []), ...byId], error }
}

interface FoundListProps {
  readonly id: string
  readonly label: string
  readonly found: readonly Link[]
  readonly active: number
  readonly isOpen: boolean
  readonly onChoose: (link: Link) => void
  readonly onPoint: (index: number) => void
}

const FoundList = ({ id, label, found, active, isOpen, onChoose, onPoint }: FoundListProps) => (
  <ul
    id={`${id}-found`}
    role="listbox"
    aria-label={label}
    hidden={!isOpen || found.length === 0}
    className="card max-h-60 overflow-y-auto p-1"
  >
    {found.map((link, index) => (
      <li
        key={`${link.type} ${link.id} ${index}`}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === active}
        className={`cursor-pointer rounded-lg px-3 py-1.5 wrap-anywhere ${index === active ? 'bg-ground' : ''}`}
        // Before the field loses the focus.
        onMouseDown={(event) => {
          event.preventDefault()
          onChoose(link)
        }}
        onMouseMove={() => onPoint(index)}
      >
        {link.name}
        {link.about === undefined ? null : <span className="block text-sm text-soft">{link.about}</span>}
      </li>
    ))}
  </ul>
)

interface SearchProps extends Pick<PickerProps, 'label' | 'refused'> {
  readonly id: string
  readonly type: string
  readonly onChoose: (link: Link) => void
}

/** A combobox (ARIA 1.2): the focus stays in the field, the arrows move in the list. */
const Search = ({ id, label, type, refused, onChoose }: SearchProps) => {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const { found, error } = useFound(type, text, isOpen)
  const active = Math.min(at, found.length - 1)
  const choose = (link: Link | undefined) => {
    if (link === undefined) return
    onChoose(link)
    setText('')
    setOpen(false)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setOpen(true)
      setAt((active + step + found.length) % Math.max(found.length, 1))
    }
    if (event.key === 'Enter' && isOpen) choose(found[active])
    if (event.key === 'Escape' && isOpen) setOpen(false)
    if (step !== undefined || (['Enter', 'Escape'].includes(event.key) && isOpen)) event.preventDefault()
  }
  return (
    <div className="flex w-full flex-col gap-1">
      <input
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        className="control"
        placeholder={t('Search {type}', { type: titleOf(type) })}
        aria-expanded={isOpen && found.length > 0}
        aria-controls={`${id}-found`}
        aria-activedescendant={isOpen && active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={refused.length > 0}
        aria-describedby={refused.length > 0 ? `${id}-about` : undefined}
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={({ target: input }) => {
          setText(input.value)
          setOpen(true)
          setAt(0)
        }}
        onKeyDown={press}
      />
      {error === null ? null : <Problems error={error} />}
      <FoundList {...{ id, label, found, active, isOpen }} onChoose={choose} onPoint={setAt} />
    </div>
  )
}

export const RecordPicker = (props: PickerProps) => {
  const { label, targets, isMany, isRequired, links, refused, onChange } = props
  const [type, setType] = useState(targets[0] ?? '')
  const id = useId()
  const choose = (link: Link) =>
    onChange(isMany ? [...links.filter((each) => each.id !== link.id), link] : [link])
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm text-soft">
        {label}
        {isRequired ? ' *' : ''}
      </label>
      {links.length === 0 ? null : (
        <ul className="flex flex-wrap gap-2">
          {links.map((link) => (
            <Chosen
              key={`${link.type} ${link.id}`}
              link={link}
              onRemove={() => onChange(links.filter((each) => each !== link))}
            />
          ))}
        </ul>
      )}
      <div className="flex items-start gap-2">
        {targets.length < 2 ? null : (
          <select
            className="control"
            aria-label={t('Type of {label}', { label })}
            value={type}
            onChange={({ target: select }) => setType(select.value)}
          >
            {targets.map((each) => (
              <option key={each} value={each}>
                {titleOf(each)}
              </option>
            ))}
          </select>
        )}
        <Search {...{ id, label, type, refused }} onChoose={choose} />
      </div>
      {refused.length === 0 ? null : (
        <p id={`${id}-about`} className="text-sm text-bad">
          {refused.join('; ')}
        </p>
      )}
    </div>
  )
}
