/** What auth's provisioning has of the organization, and what is sent to it. */
import { askProvisioning } from '../data/api.ts'

interface Resource<Type extends string, Attributes> {
  readonly id: string
  readonly type: Type
  readonly attributes: Attributes
  readonly relationships: Readonly<Record<string, { readonly data?: Identifier | null }>>
}

export interface Identifier {
  readonly type: string
  readonly id: string
}

export type Role = Resource<
  'roles',
  { readonly name: string; readonly kind: 'admin' | 'read_only' | 'custom' }
>
export type User = Resource<
  'users',
  {
    readonly email: string
    readonly first_name: string | null
    readonly last_name: string | null
    readonly owner: boolean
    readonly disabled_at: string | null
  }
>
export type Credential = Resource<
  'api_credentials',
  {
    readonly name: string
    readonly kind: 'sales_channel' | 'integration' | 'webapp'
    readonly mode: 'test' | 'live'
    readonly client_id: string
    readonly client_secret?: string
    readonly redirect_uri: string | null
    readonly expires_in: number
    readonly disabled_at: string | null
  }
>
export type Permission = Resource<
  'permissions',
  {
    readonly subject: string
    readonly can_create: boolean
    readonly can_read: boolean
    readonly can_update: boolean
    readonly can_destroy: boolean
    readonly restrictions: Readonly<Record<string, unknown>>
  }
>
export type AuditEvent = Resource<
  'audit_events',
  {
    readonly action: string
    readonly actor_kind: string
    readonly actor: string
    readonly origin: string
    readonly subject_type: string
    readonly subject_id: string
    readonly details: Readonly<Record<string, unknown>>
    readonly created_at: string
  }
>

interface Types {
  readonly roles: Role
  readonly users: User
  readonly api_credentials: Credential
  readonly permissions: Permission
  readonly audit_events: AuditEvent
}

export type ProvisionedType = keyof Types

export interface Page<Item> {
  readonly data: readonly Item[]
  readonly included?: readonly Role[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
}

/** @throws Refused */
export const listProvisioned = <Type extends ProvisionedType>(
  type: Type,
  query: Readonly<Record<string, string>> = {},
): Promise<Page<Types[Type]>> =>
  askProvisioning(`${type}?${new URLSearchParams({ 'page[size]': '25', ...query }).toString()}`)

/** As many as the types that permissions are of; of a longer list the first are shown. */
const PAGES_MAX = 6

/** All of a short list. @throws Refused */
export const listAll = async <Type extends ProvisionedType>(
  type: Type,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Types[Type][]> => {
  const first = await listProvisioned(type, query)
  const count = Math.min(first.meta.page_count, PAGES_MAX)
  const rest = await Promise.all(
    Array.from({ length: Math.max(count - 1, 0) }, (_, at) =>
      listProvisioned(type, { ...query, 'page[number]': String(at + 2) }),
    ),
  )
  return [first, ...rest].flatMap(({ data }) => data)
}

export interface Values {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly role?: string
}

const bodyOf = (type: ProvisionedType, { attributes = {}, role }: Values, id?: string) => ({
  data: {
    type,
    ...(id === undefined ? {} : { id }),
    attributes,
    ...(role === undefined ? {} : { relationships: { role: { data: { type: 'roles', id: role } } } }),
  },
})

/** @throws Refused */
export const createProvisioned = async <Type extends ProvisionedType>(
  type: Type,
  values: Values,
): Promise<Types[Type]> =>
  (await askProvisioning<{ data: Types[Type] }>(type, { method: 'POST', body: bodyOf(type, values) })).data

/** @throws Refused */
export const updateProvisioned = async <Type extends ProvisionedType>(
  type: Type,
  id: string,
  values: Values,
): Promise<Types[Type]> =>
  (
    await askProvisioning<{ data: Types[Type] }>(`${type}/${id}`, {
      method: 'PATCH',
      body: bodyOf(type, values, id),
    })
  ).data

/** @throws Refused */
export const removeProvisioned = (type: ProvisionedType, id: string): Promise<unknown> =>
  askProvisioning(`${type}/${id}`, { method: 'DELETE' })
