/** Rows of one organization as records for JSON:API documents. Each is checked again before it is shown. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Linked, ResourceRecord } from '@merx/jsonapi/record'
import type { Registry } from '@merx/jsonapi/registry'

export type RowOfOrganization = Readonly<Record<string, unknown>> & {
  readonly id: bigint
  readonly organization_id: bigint
}

export interface OpenRecord extends ResourceRecord {
  readonly row: RowOfOrganization
  readonly linked: Map<string, Linked>
}

export interface ProvisionedRecords {
  /** The same record for the same row, so that a document shows it once. @throws Error for a foreign row */
  of(definition: ResourceDefinition, row: RowOfOrganization): OpenRecord
}

export const createRecords = (
  registry: Pick<Registry, 'ids'>,
  organizationId: bigint,
): ProvisionedRecords => {
  const records = new Map<string, OpenRecord>()
  return {
    of: (definition, row) => {
      // Statements ask for this organization only; a row of another means that one did not.
      if (row.organization_id !== organizationId)
        throw new Error(`a row of ${definition.type} belongs to another organization`)
      const id = registry.ids.encode(definition.type, row.id)
      const key = `${definition.type}/${id}`
      const known = records.get(key)
      if (known !== undefined) return known
      const record: OpenRecord = { definition, id, row, linked: new Map() }
      records.set(key, record)
      return record
    },
  }
}
