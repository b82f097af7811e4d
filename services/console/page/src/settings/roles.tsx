/** The roles: what a custom one may do is a grid of types and actions. */
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refusedOf, SelectField, TextField, typedIn } from '../parts/field.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import { createProvisioned, removeProvisioned, type Role } from './provisioning.ts'
import { useAll, useWrite } from './use-provisioning.ts'

const KINDS = ['custom', 'read_only', 'admin'] as const

const NewRole = ({ onClose }: { readonly onClose: () => void }) => {
  const write = useWrite(
    (form: FormData) =>
      createProvisioned('roles', {
        attributes: { name: typedIn(form, 'name'), kind: typedIn(form, 'kind') },
      }),
    onClose,
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {write.error === null ? null : <Problems error={write.error} />}
      <TextField label={t('Name')} name="name" refused={refusedOf(write.error, 'name')} />
      <SelectField label={t('Kind')} name="kind" refused={refusedOf(write.error, 'kind')}>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {labelOf(kind)}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="button primary self-start" disabled={write.isPending}>
        {t('Save')}
      </button>
    </form>
  )
}

const RoleRow = ({ role }: { readonly role: Role }) => {
  const { name, kind } = role.attributes
  const remove = useWrite(() => removeProvisioned('roles', role.id))
  return (
    <tr>
      <td>
        {kind === 'custom' ? (
          <Link
            to="/settings/roles/$id"
            params={{ id: role.id }}
            className="font-semibold underline underline-offset-2"
          >
            {name}
          </Link>
        ) : (
          <span className="font-semibold">{name}</span>
        )}
        {remove.error === null ? null : <Problems error={remove.error} />}
      </td>
      <td>{labelOf(kind)}</td>
      <td>
        <ConfirmButton
          label={t('Delete')}
          question={t('Delete {name}? This cannot be taken back.', { name })}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        />
      </td>
    </tr>
  )
}

export const Roles = () => {
  const { data, error } = useAll('roles', { sort: 'name' })
  const [isNew, setNew] = useState(false)
  if (data === undefined) return error === null ? <Loading of={t('the roles')} /> : <Problems error={error} />
  return (
    <>
      <button type="button" className="button primary self-start" onClick={() => setNew(true)}>
        {t('Add a role')}
      </button>
      <Table label={t('Roles')} heads={[t('Name'), t('Kind'), t('Actions')]}>
        {data.map((role) => (
          <RoleRow key={role.id} role={role} />
        ))}
      </Table>
      {isNew ? (
        <Dialog title={t('Add a role')} onClose={() => setNew(false)}>
          <NewRole onClose={() => setNew(false)} />
        </Dialog>
      ) : null}
    </>
  )
}
