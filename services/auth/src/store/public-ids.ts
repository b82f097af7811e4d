/** Row numbers ↔ public ids of the types this service owns. */
import { createPublicIds, type PublicIds } from '@merx/jsonapi/public-id'

/** No secret: nothing can be reached by knowing an id of this service, and core takes them as they are. */
const ids = createPublicIds({ secret: 'merx auth' })

/** Resource types as core names them in answers. */
const ID_TYPES = [
  'organizations',
  'applications',
  'roles',
  'permissions',
  'users',
  'audit_events',
  'saved_questions',
] as const

export type IdType = (typeof ID_TYPES)[number]

export const toPublicId = (type: IdType, rowId: bigint): string => ids.encode(type, rowId)

/** Undefined when the text is no id of this type. */
export const fromPublicId = (type: IdType, id: string): bigint | undefined => {
  const rowId = ids.decode(type, id)
  return rowId === undefined ? undefined : BigInt(rowId)
}

/** For ids this service made itself. @throws Error for any other: that is an internal error. */
export const requireRowId = (type: IdType, id: string): bigint => {
  const rowId = fromPublicId(type, id)
  if (rowId === undefined) throw new Error(`'${id}' is no id of ${type}`)
  return rowId
}

/** The types of the provisioning interface; a credential has the same id wherever it is named. */
const isIdType = (type: string): type is IdType => ID_TYPES.some((known) => known === type)

const toIdType = (type: string): IdType => {
  const idType = type === 'api_credentials' ? 'applications' : type
  if (isIdType(idType)) return idType
  throw new Error(`${type} has no public ids here`)
}

export const provisionedIds: PublicIds = {
  encode: (type, number) => ids.encode(toIdType(type), number),
  prepare: (type, numbers) => ids.prepare(toIdType(type), numbers),
  decode: (type, id) => ids.decode(toIdType(type), id),
}
