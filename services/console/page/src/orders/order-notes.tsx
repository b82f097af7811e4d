/** Notes of an order: core's attachments, a name with a text, the address of a file, or both. */
import type { FormEvent } from 'react'
import { useState } from 'react'
import { formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, refusedOf, TextField, typedIn } from '../parts/field.tsx'
import { Problems } from '../parts/problems.tsx'
import { Section } from '../parts/section.tsx'
import { addNote, removeNote, type OrderWithParts } from './read-order.ts'
import { useOrderWrite } from './use-order-write.ts'

type Attached = NonNullable<OrderWithParts['attachments']>[number]

/** Only addresses of the web are links; anything else is a text. */
const isWebAddress = (address: string): boolean => /^https?:\/\//i.test(address)

const Note = ({ note, mayRemove }: { readonly note: Attached; readonly mayRemove: boolean }) => {
  const { mutate, isPending, error } = useOrderWrite()
  const { url } = note
  return (
    <li className="flex flex-col items-start gap-1">
      <p className="font-semibold wrap-anywhere">{note.name}</p>
      {(note.description ?? '') === '' ? null : (
        <p className="wrap-anywhere whitespace-pre-wrap">{note.description}</p>
      )}
      {url === null || url === undefined || url === '' ? null : isWebAddress(url) ? (
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          className="break-all underline underline-offset-2"
        >
          {url}
        </a>
      ) : (
        <span className="break-all">{url}</span>
      )}
      <span className="text-sm text-soft">{formatTime(note.created_at)}</span>
      {mayRemove ? (
        <ConfirmButton
          label={t('Delete')}
          question={t('Delete {name}? This cannot be taken back.', { name: note.name })}
          isBusy={isPending}
          onConfirm={() => mutate(() => removeNote(note.id))}
        />
      ) : null}
      {error === null ? null : <Problems error={error} />}
    </li>
  )
}

/** What was not typed is nothing. */
const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text)

const NoteDialog = ({ orderId, onClose }: { readonly orderId: string; readonly onClose: () => void }) => {
  const { mutate, isPending, error } = useOrderWrite(onClose)
  const refused = (name: string) => refusedOf(error, name)
  const isAtField = ['name', 'description', 'url'].some((name) => refused(name).length > 0)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    mutate(() =>
      addNote(orderId, {
        name: typedIn(form, 'name'),
        description: textOrNull(typedIn(form, 'description')),
        url: textOrNull(typedIn(form, 'url')),
      }),
    )
  }
  return (
    <Dialog title={t('Add a note')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {error === null || isAtField ? null : <Problems error={error} />}
        <TextField label={t('Title')} name="name" maxLength={255} refused={refused('name')} />
        <Field label={t('Text')} refused={refused('description')}>
          {(about) => <textarea name="description" rows={4} className="control" {...about} />}
        </Field>
        <TextField label={t('Address of a file')} name="url" inputMode="url" refused={refused('url')} />
        <button type="submit" className="button primary self-start" disabled={isPending}>
          {t('Save')}
        </button>
      </form>
    </Dialog>
  )
}

export const Notes = ({ order }: { readonly order: OrderWithParts }) => {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const notes = order.attachments ?? []
  return (
    <Section title={t('Notes')}>
      <div className="card flex flex-col items-start gap-4">
        {notes.length === 0 ? <p className="text-soft">{t('None.')}</p> : null}
        {notes.length === 0 ? null : (
          <ul className="flex flex-col gap-4">
            {notes.map((note) => (
              <Note key={note.id} note={note} mayRemove={may('destroy', 'attachments')} />
            ))}
          </ul>
        )}
        {may('create', 'attachments') ? (
          <button type="button" className="button" onClick={() => setOpen(true)}>
            {t('Add a note')}
          </button>
        ) : null}
      </div>
      {isOpen ? <NoteDialog orderId={order.id} onClose={() => setOpen(false)} /> : null}
    </Section>
  )
}
