/** Asks how something that is kept is to be called. */
import type { UseMutationResult } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { t } from '../language/text.ts'
import { Dialog } from './dialog.tsx'
import { refusedOf, TextField, typedIn } from './field.tsx'
import { Problems } from './problems.tsx'

export interface NameDialogProps {
  readonly title: string
  readonly name: string
  readonly write: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'error' | 'isPending'>
  readonly onClose: () => void
}

export const NameDialog = ({ title, name, write, onClose }: NameDialogProps) => {
  const { error, isPending, mutate } = write
  const refused = refusedOf(error, 'name')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(typedIn(new FormData(event.currentTarget), 'name'))
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
        {error === null || refused.length > 0 ? null : <Problems error={error} />}
        <TextField label={t('Name')} name="name" defaultValue={name} refused={refused} className="w-full" />
        <button type="submit" className="button primary self-start" disabled={isPending}>
          {t('Save')}
        </button>
      </form>
    </Dialog>
  )
}
