/** The reference and metadata of provisioned records, which Merx only stores. */
import type { Prisma } from '../store/generated/client.ts'

export interface Notes {
  readonly reference?: string | null
  readonly referenceOrigin?: string | null
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** The columns of the notes that were given, of any table that has them. */
export const noteColumns = ({ reference, referenceOrigin, metadata }: Notes) => ({
  ...(reference === undefined ? {} : { reference }),
  ...(referenceOrigin === undefined ? {} : { referenceOrigin }),
  ...(metadata === undefined ? {} : { metadata: metadata as Prisma.InputJsonObject }),
})

/** As the audit log tells it: that they changed, not to what. */
export const noteDetails = (notes: Notes): { readonly notes_changed?: true } =>
  Object.keys(noteColumns(notes)).length > 0 ? { notes_changed: true } : {}
