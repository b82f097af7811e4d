/** The search from anywhere: screens, lists and records, with the keyboard alone. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState, type KeyboardEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problems } from '../parts/problems.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { recordAddress } from '../records/record-link.tsx'
import { typeNames } from '../records/types.ts'
import { findRecords, findTypes, SEARCHED, TEXT_MIN, type Found } from './find-anything.ts'
import type { Place } from './navigation.ts'

interface Choice {
  readonly key: string
  readonly name: string
  readonly kind: string
  readonly go: () => void
}

const useChoices = (text: string, places: readonly Place[]) => {
  const navigate = useNavigate()
  const may = useMay()
  const settled = useSettled(text.trim())
  const isSearched = settled.length >= TEXT_MIN
  const { data = [], error } = useQuery({
    queryKey: ['find', settled],
    queryFn: () =>
      findRecords(
        settled,
        SEARCHED.filter((type) => may('read', type)),
      ),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  })
  const lists = findTypes(
    text.trim(),
    typeNames.filter((type) => may('read', type)),
  )
  const toRecord = ({ type, id }: Found) =>
    void (id === ''
      ? navigate({ to: '/records/$type', params: { type } })
      : navigate(recordAddress(type, id)))
  const fromPlaces = places
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ to, label }) => ({ key: to, name: label, kind: t('Screen'), go: () => void navigate({ to }) }))
  const fromFound = [...(isSearched ? data : []), ...(text.trim() === '' ? [] : lists)].map((found) => ({
    ...{ key: `${found.type} ${found.id}`, name: found.name, kind: found.kind },
    go: () => toRecord(found),
  }))
  const choices: readonly Choice[] = [...fromPlaces, ...fromFound]
  return { choices, error }
}

interface SearchDialogProps {
  readonly places: readonly Place[]
  readonly onClose: () => void
}

export const SearchDialog = ({ places, onClose }: SearchDialogProps) => {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { choices, error } = useChoices(text, places)
  const active = Math.min(at, choices.length - 1)
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return
    onClose()
    choice.go()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((active + step + choices.length) % Math.max(choices.length, 1))
    if (event.key === 'Enter') choose(choices[active])
    if (step !== undefined || event.key === 'Enter') event.preventDefault()
  }
  return (
    <Dialog title={t('Search everywhere')} onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label={t('Order, SKU, customer or screen')}
        placeholder={t('Order, SKU, customer or screen')}
        aria-expanded={choices.length > 0}
        aria-controls={list}
        aria-activedescendant={active >= 0 ? `${list}-${active}` : undefined}
        autoComplete="off"
        autoFocus
        className="control"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      {error === null ? null : <Problems error={error} />}
      <ul id={list} role="listbox" aria-label={t('Found')} className="max-h-96 overflow-y-auto">
        {choices.map((choice, index) => (
          <li
            key={choice.key}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === active}
            className={`flex cursor-pointer justify-between gap-4 rounded-lg px-3 py-2 ${index === active ? 'bg-ground' : ''}`}
            onClick={() => choose(choice)}
            onMouseMove={() => setAt(index)}
          >
            <span className="wrap-anywhere">{choice.name}</span>{' '}
            <span className="shrink-0 text-soft">{choice.kind}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 ? <p className="text-soft">{t('Nothing matches. Search for less.')}</p> : null}
    </Dialog>
  )
}
