/** The writes of provisioning over HTTP: they call the functions of the command line with the values of a JSON:API document. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Violations } from '../input-rules.ts'
import type { ProvisioningDeps } from '../provisioning-deps.ts'
import type { WriteValues } from './write-values.ts'

export interface ActContext {
  readonly organizationId: string
  readonly deps: ProvisioningDeps
}

/** What a create or update made, as far as it cannot be read again. */
export interface Written {
  readonly id: string
  /** Of a credential that has a new one; shown in this answer and kept nowhere. */
  readonly clientSecret?: string
}

/** Operations of one resource type; its definition says which there are. */
export interface Acts {
  /** What is wrong with the values beyond what the definition says; absent and invalid values are undefined. */
  violations?(values: WriteValues, before: Row | undefined): Violations
  create?(values: WriteValues, context: ActContext): Promise<Written>
  /** One transaction, whatever the values and triggers are. */
  update?(id: string, values: WriteValues, context: ActContext): Promise<Written>
  remove?(id: string, context: ActContext): Promise<unknown>
}
