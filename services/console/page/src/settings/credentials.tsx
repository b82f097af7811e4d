/** The credentials of applications. A secret is shown once, when it is made. */
import { useState, type FormEvent } from 'react'
import { formatTime } from '../data/format.ts'
import { labelOf } from '../data/triggers.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { refusedOf, SelectField, TextField, typedIn } from '../parts/field.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import {
  createProvisioned,
  removeProvisioned,
  updateProvisioned,
  type Credential,
  type Role,
} from './provisioning.ts'
import { useAll, useWrite } from './use-provisioning.ts'

const KINDS = ['sales_channel', 'integration', 'webapp'] as const
type Kind = Credential['attributes']['kind']

interface NewProps {
  readonly roles: readonly Role[]
  readonly onMade: (credential: Credential) => void
}

const NewCredential = ({ roles, onMade }: NewProps) => {
  const [kind, setKind] = useState<Kind>('sales_channel')
  const write = useWrite(
    (form: FormData) =>
      createProvisioned('api_credentials', {
        attributes: {
          ...{ name: typedIn(form, 'name'), kind, mode: typedIn(form, 'mode') },
          ...(kind === 'webapp' ? { redirect_uri: typedIn(form, 'redirect_uri') } : {}),
        },
        ...(kind === 'integration' ? { role: typedIn(form, 'role') } : {}),
      }),
    onMade,
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    write.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {write.error === null ? null : <Problems error={write.error} />}
      <TextField label={t('Name')} name="name" refused={refusedOf(write.error, 'name')} />
      <SelectField
        label={t('Kind')}
        value={kind}
        onChange={({ target }) => setKind(KINDS.find((each) => each === target.value) ?? 'sales_channel')}
        refused={refusedOf(write.error, 'kind')}
      >
        {KINDS.map((each) => (
          <option key={each} value={each}>
            {labelOf(each)}
          </option>
        ))}
      </SelectField>
      <SelectField label={t('Mode')} name="mode" refused={refusedOf(write.error, 'mode')}>
        <option value="test">{t('Test')}</option>
        <option value="live">{t('Live')}</option>
      </SelectField>
      {kind === 'integration' ? (
        <SelectField label={t('Role')} name="role" refused={refusedOf(write.error, 'role')}>
          {roles.map(({ id, attributes }) => (
            <option key={id} value={id}>
              {attributes.name}
            </option>
          ))}
        </SelectField>
      ) : null}
      {kind === 'webapp' ? (
        <TextField
          label={t('Redirect URI')}
          name="redirect_uri"
          type="url"
          refused={refusedOf(write.error, 'redirect_uri')}
        />
      ) : null}
      <button type="submit" className="button primary self-start" disabled={write.isPending}>
        {t('Save')}
      </button>
    </form>
  )
}

const Secret = ({ credential }: { readonly credential: Credential }) => {
  const { client_id, client_secret } = credential.attributes
  return (
    <div className="flex flex-col gap-3">
      <p>{t('The secret is shown now and never again. Keep it where only the application can read it.')}</p>
      <dl className="grid gap-2">
        <dt className="text-soft">{t('Client id')}</dt>
        <dd className="break-all">
          <code>{client_id}</code> <CopyButton text={client_id} />
        </dd>
        {client_secret === undefined ? null : (
          <>
            <dt className="text-soft">{t('Client secret')}</dt>
            <dd className="break-all">
              <code>{client_secret}</code> <CopyButton text={client_secret} />
            </dd>
          </>
        )}
      </dl>
    </div>
  )
}

interface RowProps {
  readonly credential: Credential
  readonly role: string
  readonly onSecret: (credential: Credential) => void
}

const CredentialRow = ({ credential, role, onSecret }: RowProps) => {
  const { name, kind, mode, client_id, disabled_at } = credential.attributes
  const change = useWrite((trigger: '_disable' | '_enable') =>
    updateProvisioned('api_credentials', credential.id, { attributes: { [trigger]: true } }),
  )
  const rotate = useWrite(
    () => updateProvisioned('api_credentials', credential.id, { attributes: { _rotate_secret: true } }),
    onSecret,
  )
  const remove = useWrite(() => removeProvisioned('api_credentials', credential.id))
  const error = change.error ?? rotate.error ?? remove.error
  return (
    <tr>
      <td>
        <span className="font-semibold">{name}</span>
        <div className="text-sm break-all text-soft">{client_id}</div>
        {error === null ? null : <Problems error={error} />}
      </td>
      <td>
        {labelOf(kind)}
        {role === '' ? null : <div className="text-sm text-soft">{role}</div>}
      </td>
      <td>{mode === 'live' ? t('Live') : t('Test')}</td>
      <td>{disabled_at === null ? t('In use') : t('Disabled {when}', { when: formatTime(disabled_at) })}</td>
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
          {kind === 'sales_channel' ? null : (
            <ConfirmButton
              label={t('New secret')}
              question={t('Replace the secret of {name}? The present one ends at once.', { name })}
              isBusy={rotate.isPending}
              onConfirm={() => rotate.mutate(undefined)}
            />
          )}
          <ConfirmButton
            label={t('Delete')}
            question={t('Delete {name}? This cannot be taken back.', { name })}
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          />
        </div>
      </td>
    </tr>
  )
}

export const Credentials = () => {
  const credentials = useAll('api_credentials', { sort: 'name', include: 'role' })
  const roles = useAll('roles', { sort: 'name' })
  const [shown, setShown] = useState<Credential | 'new'>()
  const error = credentials.error ?? roles.error
  if (credentials.data === undefined || roles.data === undefined)
    return error === null ? <Loading of={t('the credentials')} /> : <Problems error={error} />
  const nameOf = new Map(roles.data.map(({ id, attributes }) => [id, attributes.name]))
  return (
    <>
      <button type="button" className="button primary self-start" onClick={() => setShown('new')}>
        {t('Add a credential')}
      </button>
      <Table label={t('Credentials')} heads={[t('Name'), t('Kind'), t('Mode'), t('State'), t('Actions')]}>
        {credentials.data.map((credential) => (
          <CredentialRow
            key={credential.id}
            credential={credential}
            role={nameOf.get(credential.relationships['role']?.data?.id ?? '') ?? ''}
            onSecret={setShown}
          />
        ))}
      </Table>
      {shown === undefined ? null : (
        <Dialog
          key={shown === 'new' ? 'new' : shown.id}
          title={shown === 'new' ? t('Add a credential') : shown.attributes.name}
          onClose={() => setShown(undefined)}
        >
          {shown === 'new' ? (
            <NewCredential roles={roles.data} onMade={setShown} />
          ) : (
            <Secret credential={shown} />
          )}
        </Dialog>
      )}
    </>
  )
}
