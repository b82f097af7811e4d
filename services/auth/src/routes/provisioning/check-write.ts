/** A write document → values that an act can work with; reports all violations at once (422). */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { WriteViolation, WriteOperation } from '@merx/jsonapi/rules'
import { validateAttributes } from '@merx/jsonapi/validate-attributes'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import type { Identifier, WriteRequest } from '@merx/jsonapi/write-request'
import { acts } from '../../provisioning/acts/index.ts'
import { createWriteValues, type WriteValues } from '../../provisioning/acts/write-values.ts'
import { provisionedResources } from '../../provisioning/resources/index.ts'
import type { ProvisionedReader } from '../../store/provisioned-reader.ts'

interface WriteTarget {
  readonly definition: ResourceDefinition
  readonly operation: WriteOperation
  /** The row before an update. */
  readonly before?: Row
}

/** What is linked must be there, in the same organization. */
const violationOfLink = async (
  relationship: string,
  identifier: Identifier | null,
  isRequired: boolean,
  reader: ProvisionedReader,
): Promise<WriteViolation | undefined> => {
  const at = { relationship }
  if (identifier === null) return isRequired ? { at, error: 'blank', message: "can't be blank" } : undefined
  const { type, id } = identifier
  const found = await reader.find(provisionedResources.require(type), id)
  return found === undefined ? { at, error: 'noent', message: "doesn't exist", value: id } : undefined
}

const violationsOfLinks = async (
  { toOne }: WriteRequest,
  { definition, operation }: WriteTarget,
  reader: ProvisionedReader,
): Promise<readonly WriteViolation[]> => {
  const violations: WriteViolation[] = []
  for (const [name, relationship] of Object.entries(definition.relationships)) {
    if (!toOne.has(name) && operation === 'update') continue
    const violation = await violationOfLink(name, toOne.get(name) ?? null, relationship.required, reader)
    if (violation !== undefined) violations.push(violation)
  }
  return violations
}

const nameOf = ({ at }: WriteViolation): string | undefined =>
  at === undefined ? undefined : 'attribute' in at ? at.attribute : at.relationship

/** What only the acts know, about members that are fine so far. */
const violationsOfActs = (
  values: WriteValues,
  { definition, before }: WriteTarget,
  known: readonly WriteViolation[],
): readonly WriteViolation[] => {
  const atViolation = new Set(known.map(nameOf))
  const found = acts[definition.type]?.violations?.(values, before) ?? {}
  return Object.entries(found).flatMap(([name, message]) => {
    if (message === undefined || atViolation.has(name)) return []
    const at = name in definition.relationships ? { relationship: name } : { attribute: name }
    return [{ at, error: 'invalid', message }]
  })
}

/** @throws AppErrors validation_error */
export const checkWrite = async (
  request: WriteRequest,
  target: WriteTarget,
  reader: ProvisionedReader,
): Promise<WriteValues> => {
  const { definition, operation } = target
  const { columns, violations } = validateAttributes(request.attributes, definition, operation)
  const known = [...violations, ...(await violationsOfLinks(request, target, reader))]
  const values = createWriteValues({
    columns,
    links: new Map([...request.toOne].map(([name, identifier]) => [name, identifier?.id ?? null])),
    triggers: new Set(request.triggers.keys()),
  })
  throwViolations([...known, ...violationsOfActs(values, target, known)])
  return values
}
