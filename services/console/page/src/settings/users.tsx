/** The people who sign in: each has one role. */
import { useState, type FormEvent } from 'react'
import { formatTime } from '../data/format.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refusedOf, SelectField, TextField, typedIn } from '../parts/field.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import {
  createProvisioned,
  removeProvisioned,
  updateProvisioned,
  type Role,
  type User,
} from './provisioning.ts'
import { useAll, useWrite } from './use-provisioning.ts'

const roleIdOf = ({ relationships }: User): string | undefined => relationships['role']?.data?.id

interface FormProps {
  readonly user?: User | undefined
  readonly roles: readonly Role[]
  readonly onClose: () => void
}

const UserForm = ({ user, roles, onClose }: FormProps) => {
  const write = useWrite((form: FormData) => {
    const password = typedIn(form, 'password')
    const attributes = {
      ...{
        email: typedIn(form, 'email'),
        first_name: typedIn(form, 'first_name'),
        last_name: typedIn(form, 'last_name'),
      },
      // An empty one leaves the password as it is.
      ...(password === '' && user !== undefined ? {} : { password }),
    }
    const values = { attributes, role: typedIn(form, 'role') }
    return user === undefined
      ? createProvisioned('users', values)
      : updateProvisioned('users', user.id, values)
  }, onClose)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(new FormData(event.currentTarget))
  }
  const { email = '', first_name = '', last_name = '' } = user?.attributes ?? {}
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {write.error === null ? null : <Problems error={write.error} />}
      <TextField
        label={t('Email address')}
        name="email"
        type="email"
        autoComplete="off"
        defaultValue={email}
        refused={refusedOf(write.error, 'email')}
      />
      <TextField
        label={t('First name')}
        name="first_name"
        defaultValue={first_name ?? ''}
        refused={refusedOf(write.error, 'first_name')}
      />
      <TextField
        label={t('Last name')}
        name="last_name"
        defaultValue={last_name ?? ''}
        refused={refusedOf(write.error, 'last_name')}
      />
      <TextField
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="new-password"
        hint={user === undefined ? t('At least 8 characters.') : t('Leave it empty to keep the present one.')}
        refused={refusedOf(write.error, 'password')}
      />
      <SelectField
        label={t('Role')}
        name="role"
        defaultValue={user === undefined ? roles[0]?.id : roleIdOf(user)}
        refused={refusedOf(write.error, 'role')}
      >
        {roles.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name}
          </option>
        ))}
      </SelectField>
      <button type="submit" className="button primary self-start" disabled={write.isPending}>
        {t('Save')}
      </button>
    </form>
  )
}

interface RowProps {
  readonly user: User
  readonly role: string
  readonly onEdit: () => void
}

const UserRow = ({ user, role, onEdit }: RowProps) => {
  const { email, first_name, last_name, owner, disabled_at } = user.attributes
  const change = useWrite((trigger: '_disable' | '_enable') =>
    updateProvisioned('users', user.id, { attributes: { [trigger]: true } }),
  )
  const remove = useWrite(() => removeProvisioned('users', user.id))
  const error = change.error ?? remove.error
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return (
    <tr>
      <td className="min-w-52">
        <button
          type="button"
          className="text-start font-semibold wrap-anywhere underline underline-offset-2"
          onClick={onEdit}
        >
          {email}
        </button>
        {error === null ? null : <Problems error={error} />}
      </td>
      <td>{name}</td>
      <td>{owner ? t('{role}, owner', { role }) : role}</td>
      <td>
        {disabled_at === null ? t('May sign in') : t('Disabled {when}', { when: formatTime(disabled_at) })}
      </td>
      <td>
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="button"
            disabled={change.isPending}
            onClick={() => change.mutate(disabled_at === null ? '_disable' : '_enable')}
          >
            {disabled_at === null ? t('Disable') : t('Enable')}
          </button>
          <ConfirmButton
            label={t('Delete')}
            question={t('Delete {name}? This cannot be taken back.', { name: email })}
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          />
        </div>
      </td>
    </tr>
  )
}

export const Users = () => {
  const users = useAll('users', { sort: 'email', include: 'role' })
  const roles = useAll('roles', { sort: 'name' })
  const [edited, setEdited] = useState<User | 'new'>()
  const error = users.error ?? roles.error
  if (users.data === undefined || roles.data === undefined)
    return error === null ? <Loading of={t('the users')} /> : <Problems error={error} />
  const nameOf = new Map(roles.data.map(({ id, attributes }) => [id, attributes.name]))
  return (
    <>
      <button type="button" className="button primary self-start" onClick={() => setEdited('new')}>
        {t('Add a user')}
      </button>
      <Table label={t('Users')} heads={[t('Email address'), t('Name'), t('Role'), t('State'), t('Actions')]}>
        {users.data.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            role={nameOf.get(roleIdOf(user) ?? '') ?? ''}
            onEdit={() => setEdited(user)}
          />
        ))}
      </Table>
      {edited === undefined ? null : (
        <Dialog
          title={edited === 'new' ? t('Add a user') : edited.attributes.email}
          onClose={() => setEdited(undefined)}
        >
          <UserForm
            user={edited === 'new' ? undefined : edited}
            roles={roles.data}
            onClose={() => setEdited(undefined)}
          />
        </Dialog>
      )}
    </>
  )
}
