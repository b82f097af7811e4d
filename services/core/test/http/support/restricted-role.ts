/** Tokens of custom roles with restrictions, and what their refusals look like. */
import type { Permission, PermittedAction } from '@merx/access-token/caller'
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import type { InProcessResponse } from '@merx/testing/in-process-client'
import { errorsOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const EVERYTHING = ['create', 'read', 'update', 'destroy'] as const

export const permission = (
  subject: string,
  restrictions: Readonly<Record<string, unknown>> = {},
  actions: readonly PermittedAction[] = EVERYTHING,
): Permission => ({ subject, actions, restrictions })

let roles = 0

/** A token whose role has these permissions. */
export const tokenWith = async (
  { roles: known, tokens }: Pick<TestCore, 'roles' | 'tokens'>,
  ...permissions: readonly Permission[]
): Promise<string> => {
  const id = `rRestricts${++roles}`
  known.set(id, { kind: 'custom', permissions })
  return tokens.mint({ role: { id, kind: 'custom' } })
}

/** With `source`, one of the errors points there. */
export const expectUnauthorized = (response: InProcessResponse, source?: object): void => {
  expect([response.status, errorsOf(response)[0]?.code]).toEqual([401, 'UNAUTHORIZED'])
  if (source !== undefined) expect(errorsOf(response).map((error) => error.source)).toContainEqual(source)
}

export const patch = (
  core: Pick<TestCore, 'send'>,
  token: string,
  at: { readonly type: string; readonly id: string },
  attributes: object,
  relationships: object = {},
): Promise<InProcessResponse> =>
  core.send('PATCH', `/api/${at.type}/${at.id}`, token, { data: { ...at, attributes, relationships } })

export const linkTo = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
