/** Permissions of a custom role, as they were sent → their violations. */
import type { Permission } from '@merx/access-token/caller'
import { parseRestrictions } from '@merx/jsonapi/restrictions'
import { RESOURCE_TYPES, resourceShapes } from './resource-shapes.ts'

/** Of all permissions of a role together, as JSON: they are held in the memory of every service. */
const RESTRICTIONS_CHARACTERS_MAX = 65_535

/**
 * Every violation of one permission, each naming its place and what is allowed.
 *
 * @example permissionViolations({ subject: 'orders', actions: ['read'], restrictions: { rows: { all: { x: 1 } } } })
 */
export const permissionViolations = ({ subject, restrictions = {} }: Permission): readonly string[] => {
  const definition = resourceShapes.find(subject)
  if (definition === undefined) {
    return [`'${subject.slice(0, 100)}' must be a resource type; allowed: ${RESOURCE_TYPES.join(', ')}`]
  }
  const parsed = parseRestrictions(restrictions, definition, resourceShapes)
  return parsed.ok ? [] : parsed.violations.map((violation) => `${subject}: ${violation}`)
}

/** Undefined when the restrictions of a role are not too much altogether. */
export const sizeViolation = (permissions: readonly Permission[]): string | undefined => {
  const { length } = JSON.stringify(permissions.map(({ restrictions = {} }) => restrictions))
  return length <= RESTRICTIONS_CHARACTERS_MAX
    ? undefined
    : `must have restrictions of at most ${RESTRICTIONS_CHARACTERS_MAX} characters altogether`
}
