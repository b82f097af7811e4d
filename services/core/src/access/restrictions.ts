/**
 * Caller → what narrows its permissions, type by type: the restrictions of a custom role, or the row conditions of the
 * sales-channel tables. The one module that reads them; SQL (store/sql/restricted-rows.ts), documents
 * (readable-fields.ts) and writes (writable-fields.ts) apply what it gives.
 */
import type { Caller, Permission } from '@merx/access-token/caller'
import { salesChannelFields, salesChannelRows } from '@merx/access-token/sales-channel-grants'
import { customerPermissions, guestPermissions } from '@merx/access-token/sales-channel-permissions'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '@merx/jsonapi/registry'
import { parseRestrictions } from '@merx/jsonapi/restrictions'
import type { Restrictions } from '@merx/jsonapi/restrictions'
import { isCustomer, isSalesChannel } from './caller-kinds.ts'

/** Type → restrictions as the role or the table writes them: JSON, so that it can be kept with a job. */
export type CallerRestrictions = Readonly<Record<string, unknown>>

/** Undefined when nothing is restricted, as for every admin, read-only role and plain custom role. */
export const restrictionsOf = (caller: Caller): CallerRestrictions | undefined => {
  if (isSalesChannel(caller)) return isCustomer(caller) ? ofCustomers : ofGuests
  return caller.role?.kind === 'custom' ? ofPermissions(caller.role.permissions) : undefined
}

/** Understood against the definitions. */
export interface CompiledRestrictions {
  readonly byType: ReadonlyMap<string, Restrictions>
  /** Types whose restrictions do not fit their definition (any more): nothing of them is permitted. */
  readonly broken: ReadonlySet<string>
}

/** Types that are not served are left out. The same objects for the same arguments. */
export const compileRestrictions = (
  restrictions: CallerRestrictions,
  registry: Registry,
): CompiledRestrictions => {
  const known = compiled.get(registry) ?? new WeakMap<CallerRestrictions, CompiledRestrictions>()
  compiled.set(registry, known)
  const made = known.get(restrictions) ?? compile(restrictions, registry)
  known.set(restrictions, made)
  return made
}

/** The caller without the permissions whose restrictions cannot be applied: what cannot be restricted is refused. */
export const withoutBroken = (caller: Caller, registry: Registry): Caller => {
  const restrictions = restrictionsOf(caller)
  if (caller.role === undefined || restrictions === undefined) return caller
  const { broken } = compileRestrictions(restrictions, registry)
  if (broken.size === 0) return caller
  const permissions = caller.role.permissions.filter(({ subject }) => !broken.has(subject))
  return { ...caller, role: { ...caller.role, permissions } }
}

/**
 * Every restriction on what is reached by the name of a type: its own, that of the abstract type above it and, of an
 * abstract type, those of its members.
 */
export const restrictionsAt = (
  { type, memberOf, abstract }: ResourceDefinition,
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): readonly Restrictions[] => {
  if (restrictions === undefined) return []
  const { byType } = compileRestrictions(restrictions, registry)
  return [type, memberOf ?? [], abstract?.members ?? []].flat().flatMap((name) => byType.get(name) ?? [])
}

/** Whether the caller may read only some rows of a type, or none because its restrictions cannot be applied. */
export const restrictsRows = (
  definition: ResourceDefinition,
  restrictions: CallerRestrictions | undefined,
  registry: Registry,
): boolean => {
  if (restrictions === undefined) return false
  const { type, memberOf } = definition
  const { broken } = compileRestrictions(restrictions, registry)
  if ([type, memberOf ?? []].flat().some((name) => broken.has(name))) return true
  return restrictionsAt(definition, restrictions, registry).some(
    ({ rows }) => [rows.all ?? [], rows.read ?? []].flat().length > 0,
  )
}

const compiled = new WeakMap<Registry, WeakMap<CallerRestrictions, CompiledRestrictions>>()

const compile = (restrictions: CallerRestrictions, registry: Registry): CompiledRestrictions => {
  const byType = new Map<string, Restrictions>()
  const broken = new Set<string>()
  for (const [type, sent] of Object.entries(restrictions)) {
    const definition = registry.find(type)
    if (definition === undefined) continue
    const parsed = parseRestrictions(sent, definition, registry)
    if (parsed.ok) byType.set(type, parsed.value)
    else broken.add(type)
  }
  return { byType, broken }
}

/** Roles change rarely and keep their list of permissions until they do. */
const ofRoles = new WeakMap<
  readonly Permission[],
  { readonly restrictions: CallerRestrictions | undefined }
>()

const ofPermissions = (permissions: readonly Permission[]): CallerRestrictions | undefined => {
  const known = ofRoles.get(permissions)
  if (known !== undefined) return known.restrictions
  const restricted = permissions.flatMap(({ subject, restrictions = {} }) =>
    Object.keys(restrictions).length === 0 ? [] : [[subject, restrictions] as const],
  )
  const restrictions = restricted.length === 0 ? undefined : Object.fromEntries(restricted)
  ofRoles.set(permissions, { restrictions })
  return restrictions
}

const ofSalesChannel = (isOfCustomer: boolean): CallerRestrictions =>
  Object.fromEntries(
    [...new Set([...Object.keys(guestPermissions), ...Object.keys(customerPermissions)])].flatMap((type) => {
      const rows = salesChannelRows(type, isOfCustomer)
      const fields = salesChannelFields(type, isOfCustomer)
      const isRestricted = Object.keys(rows).length > 0 || fields !== undefined
      return isRestricted ? [[type, { rows, ...(fields === undefined ? {} : { fields }) }] as const] : []
    }),
  )

const ofGuests = ofSalesChannel(false)
const ofCustomers = ofSalesChannel(true)
