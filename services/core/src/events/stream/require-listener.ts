/** Who may listen: whoever may list events, and read what they are named by. */
import type { Caller } from '@merx/access-token/caller'
import { requirePermission } from '../../access/permissions.ts'
import { requireReadableField } from '../../access/require-readable.ts'
import { withoutBroken } from '../../access/restrictions.ts'
import type { Registry } from '../../engine/registry.ts'
import { STREAMED_TYPE } from './streamed-type.ts'

/** @returns the caller without permissions that cannot be applied. Throws AppError `unauthorized`. */
export const requireListener = (caller: Caller, registry: Registry): Caller => {
  const definition = registry.require(STREAMED_TYPE)
  const present = withoutBroken(caller, registry)
  requirePermission(present, definition, 'list')
  requireReadableField('name', definition, present, registry)
  return present
}
