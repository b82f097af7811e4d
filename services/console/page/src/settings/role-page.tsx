/** One custom role: a box for each type and action. A box that is changed is saved at once. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import { titleOf, typeNames } from '../records/types.ts'
import { createProvisioned, listProvisioned, updateProvisioned, type Permission } from './provisioning.ts'
import { useAll, useWrite } from './use-provisioning.ts'

const ACTIONS = ['can_read', 'can_create', 'can_update', 'can_destroy'] as const
type Action = (typeof ACTIONS)[number]

const labels = (): Readonly<Record<Action, string>> => ({
  can_read: t('Read'),
  can_create: t('Create'),
  can_update: t('Change'),
  can_destroy: t('Delete'),
})

interface RowProps {
  readonly roleId: string
  readonly subject: string
  readonly permission: Permission | undefined
}

const SubjectRow = ({ roleId, subject, permission }: RowProps) => {
  const write = useWrite(({ action, isOn }: { readonly action: Action; readonly isOn: boolean }) =>
    permission === undefined
      ? createProvisioned('permissions', { attributes: { subject, [action]: isOn }, role: roleId })
      : updateProvisioned('permissions', permission.id, { attributes: { [action]: isOn } }),
  )
  const isRestricted = Object.keys(permission?.attributes.restrictions ?? {}).length > 0
  const names = labels()
  return (
    <tr>
      <th scope="row">
        {titleOf(subject)}
        {isRestricted ? <span className="font-normal"> ({t('with restrictions')})</span> : null}
        {write.error === null ? null : <Problems error={write.error} />}
      </th>
      {ACTIONS.map((action) => (
        <td key={action}>
          <input
            type="checkbox"
            className="size-5"
            aria-label={`${titleOf(subject)}: ${names[action]}`}
            checked={permission?.attributes[action] ?? false}
            disabled={write.isPending}
            onChange={({ target }) => write.mutate({ action, isOn: target.checked })}
          />
        </td>
      ))}
    </tr>
  )
}

export const RolePage = () => {
  const { id } = useParams({ from: '/settings/roles/$id' })
  const [text, setText] = useState('')
  const role = useQuery({
    queryKey: ['provisioning', 'role', id],
    queryFn: () => listProvisioned('roles', { 'filter[q][id_eq]': id }),
  })
  const permissions = useAll('permissions', { 'filter[q][role_id_eq]': id, sort: 'subject' })
  const error = role.error ?? permissions.error
  if (role.data === undefined || permissions.data === undefined)
    return error === null ? <Loading of={t('the role')} /> : <Problems error={error} />
  const [found] = role.data.data
  if (found === undefined) return <p className="card">{t('There is nothing at this address.')}</p>
  const bySubject = new Map(permissions.data.map((each) => [each.attributes.subject, each]))
  const subjects = typeNames.filter((name) => titleOf(name).toLowerCase().includes(text.trim().toLowerCase()))
  const names = labels()
  return (
    <>
      <p>
        <Link to="/settings/roles" className="underline underline-offset-2">
          {t('Roles')}
        </Link>
      </p>
      <h2 className="text-xl font-semibold break-all">{found.attributes.name}</h2>
      <p className="text-soft">
        {t('What is changed here is in force within a second, for tokens that exist too.')}
      </p>
      <label className="flex flex-col gap-1 text-sm text-soft">
        {t('Type')}
        <input
          type="search"
          className="control w-72"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Table label={t('What the role may do')} heads={[t('Type'), ...ACTIONS.map((action) => names[action])]}>
        {subjects.map((subject) => (
          <SubjectRow key={subject} roleId={id} subject={subject} permission={bySubject.get(subject)} />
        ))}
      </Table>
    </>
  )
}
