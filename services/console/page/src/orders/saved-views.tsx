/** Views of the list of orders that the user keeps: filters under a name, for this user alone. */
import { defaultParseSearch, defaultStringifySearch, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRemove, useRename, useSaveAddress, useSavedAddresses, type SavedAddress } from '../data/saved.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { NameDialog } from '../parts/name-dialog.tsx'
import { Problems } from '../parts/problems.tsx'
import { readOrderSearch, type OrderSearch } from './order-search.ts'

/** A view is the query of its address, without the page; the same filters are always the same text. */
export const viewOf = ({ page: _any, ...search }: OrderSearch): string =>
  defaultStringifySearch(readOrderSearch(search)).replace(/^\?/, '')

/** What is no filter any more is left out, as of any address. */
export const searchOf = (query: string): OrderSearch => readOrderSearch(defaultParseSearch(`?${query}`))

/** What can be done with the view that is shown. */
const ShownView = ({ view }: { readonly view: SavedAddress }) => {
  const { id, name } = view
  const [isRenamed, setRenamed] = useState(false)
  const rename = useRename(id, () => setRenamed(false))
  const remove = useRemove(id)
  return (
    <span className="ms-4 flex flex-wrap items-center gap-2">
      <button type="button" className="button" onClick={() => setRenamed(true)}>
        {t('Rename')}
      </button>
      <ConfirmButton
        label={t('Delete the view')}
        question={t('Delete the view {name}? The orders stay.', { name })}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
      {remove.error === null ? null : <Problems error={remove.error} />}
      {isRenamed ? (
        <NameDialog title={t('Rename')} name={name} write={rename} onClose={() => setRenamed(false)} />
      ) : null}
    </span>
  )
}

const SaveView = ({ query }: { readonly query: string }) => {
  const [isOpen, setOpen] = useState(false)
  const write = useSaveAddress('orders', query, () => setOpen(false))
  const open = () => {
    write.reset()
    setOpen(true)
  }
  return (
    <>
      <button type="button" className="button" onClick={open}>
        {t('Save this view')}
      </button>
      {isOpen ? (
        <NameDialog title={t('Save this view')} name="" write={write} onClose={() => setOpen(false)} />
      ) : null}
    </>
  )
}

interface ViewLinkProps {
  readonly name: string
  readonly search: OrderSearch
  readonly isShown: boolean
}

const ViewLink = ({ name, search, isShown }: ViewLinkProps) => (
  <Link
    to="/orders"
    search={search}
    className={isShown ? 'button primary' : 'button'}
    activeOptions={{ exact: true }}
    aria-current={isShown ? 'page' : undefined}
  >
    {name}
  </Link>
)

export const SavedViews = ({ search }: { readonly search: OrderSearch }) => {
  const { data: views = [], error } = useSavedAddresses('orders')
  const present = viewOf(search)
  const shown = views.find(({ query }) => viewOf(searchOf(query)) === present)
  return (
    <nav aria-label={t('Saved views')} className="flex flex-wrap items-center gap-2">
      <ViewLink name={t('All orders')} search={{}} isShown={present === ''} />
      {views.map((view) => (
        <ViewLink key={view.id} name={view.name} search={searchOf(view.query)} isShown={view === shown} />
      ))}
      {shown === undefined ? null : <ShownView key={shown.id} view={shown} />}
      {shown === undefined && present !== '' ? <SaveView query={present} /> : null}
      {error === null ? null : <Problems error={error} />}
    </nav>
  )
}
