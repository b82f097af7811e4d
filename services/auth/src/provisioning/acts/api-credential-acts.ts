import type { Mode } from '@merx/access-token/caller'
import type { Row } from '@merx/jsonapi/attributes'
import { CREDENTIAL_KINDS, type CredentialKind } from '../../clients/credential.ts'
import { actTogether } from '../act.ts'
import {
  credentialChangeViolations,
  deleteCredential,
  disableCredential,
  enableCredential,
  rotateSecret,
  updateCredential,
} from '../change-credential.ts'
import { createCredential, credentialViolations } from '../create-credential.ts'
import type { Acts } from './acts.ts'
import { onlySent, switchViolations, type WriteValues } from './write-values.ts'

const kindOf = (kind: unknown): CredentialKind | undefined => CREDENTIAL_KINDS.find((known) => known === kind)

const modeOf = (values: WriteValues): Mode => (values.text('mode') === 'live' ? 'live' : 'test')

const sent = (values: WriteValues) => ({
  ...onlySent({
    name: values.text('name'),
    redirectUri: values.textOrNull('redirect_uri'),
    expiresIn: values.integerOrNull('expires_in_seconds'),
    roleId: values.link('role') ?? undefined,
  }),
  ...values.notes,
})

/** Creating, null is as good as nothing. */
const sentAtCreation = (values: WriteValues) => {
  const { redirectUri, expiresIn, ...rest } = sent(values)
  return {
    ...rest,
    ...onlySent({ redirectUri: redirectUri ?? undefined, expiresIn: expiresIn ?? undefined }),
  }
}

const changeViolations = (values: WriteValues, kind: CredentialKind) => ({
  ...credentialChangeViolations(sent(values), { kind }),
  ...switchViolations(values),
  ...(values.link('role') === null && kind === 'integration'
    ? { role: 'is required for credentials of kind integration' }
    : {}),
})

export const apiCredentialActs: Acts = {
  violations: (values, before: Row | undefined) => {
    const kind = kindOf(before === undefined ? values.text('kind') : before['kind'])
    if (kind === undefined) return {}
    return before === undefined
      ? credentialViolations({ kind, ...sentAtCreation(values) })
      : changeViolations(values, kind)
  },
  create: async (values, { organizationId, deps }) => {
    const kind = kindOf(values.text('kind'))
    if (kind === undefined) throw new TypeError('a credential without a kind was let through')
    const { name = '', ...rest } = sentAtCreation(values)
    const input = { organizationId, mode: modeOf(values), kind, name, ...rest }
    return createCredential(input, deps)
  },
  update: (id, values, { organizationId, deps }) =>
    actTogether(organizationId, deps, async (within) => {
      // What ends refresh tokens comes first: each act takes the next version last, and whoever revokes them does so too.
      if (values.isTriggered('_disable')) await disableCredential(id, within)
      if (values.isTriggered('_enable')) await enableCredential(id, within)
      const changes = sent(values)
      if (Object.keys(changes).length > 0) await updateCredential(id, changes, within)
      if (!values.isTriggered('_rotate_secret')) return { id }
      const { clientSecret } = await rotateSecret(id, within)
      return { id, clientSecret }
    }),
  remove: (id, { deps }) => deleteCredential(id, deps),
}
