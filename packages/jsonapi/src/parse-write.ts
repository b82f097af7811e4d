/** A request body → write request, with every violation of the document's shape (core-conventions.md 8.2). */
import { AppError, AppErrors } from '@merx/errors/app-error'
import type { Attribute } from './attributes.ts'
import type { ResourceDefinition } from './define-resource.ts'
import { isPlainObject } from './filter-values.ts'
import { parseRelationships } from './parse-linkage.ts'
import type { Report } from './query-string.ts'
import { valueOfText } from './value-of-text.ts'
import { escape, mayWrite, notAllowed } from './writable-members.ts'
import type { ReadWrite, WriteRequest, WriteTarget } from './write-request.ts'

const MEMBERS = ['type', 'id', 'attributes', 'relationships', 'links', 'meta']

/** Throws AppErrors of every violation. */
export const parseWrite = (body: unknown, target: WriteTarget): WriteRequest => {
  const { request, violations } = readWrite(body, target)
  if (violations.length > 0) throw new AppErrors(violations)
  return request
}

/** The same without throwing, for who tells what is wrong with the values in the same answer. */
export const readWrite = (body: unknown, target: WriteTarget): ReadWrite => {
  const violations: AppError[] = []
  const report: Report = (violation) => violations.push(violation)
  const data = readData(body, report)
  if (data === undefined) return { request: NOTHING, violations, unreadable: new Set(), isJudgeable: false }
  const isMeant = checkIdentity(data, target, report)
  for (const key of Object.keys(data).filter((name) => !MEMBERS.includes(name))) {
    report(notAllowed(`/data/${escape(key)}`, `"${key}" is no member of a resource object`))
  }
  const { attributes, triggers } = parseAttributes(data['attributes'], target, report)
  const { toOne, toMany, unreadable } = parseRelationships(data['relationships'], target, report)
  const isWhole = ['attributes', 'relationships'].every((part) => isPlainObject(data[part] ?? {}))
  return {
    request: { attributes, triggers, toOne, toMany },
    violations,
    unreadable,
    isJudgeable: isMeant && isWhole,
  }
}

const NOTHING: WriteRequest = {
  attributes: new Map(),
  triggers: new Map(),
  toOne: new Map(),
  toMany: new Map(),
}

const readData = (body: unknown, report: Report): Record<string, unknown> | undefined => {
  if (!isPlainObject(body) || !('data' in body)) {
    report(
      new AppError('param_missing', {
        detail: 'the body needs the key "data"',
        source: { pointer: '/data' },
      }),
    )
    return undefined
  }
  const { data } = body
  if (isPlainObject(data)) return data
  const detail = '"data" must be one resource object'
  report(new AppError('invalid_data_format', { detail, source: { pointer: '/data' } }))
  return undefined
}

/** Whether the document is for this address, as far as it says. */
const checkIdentity = (data: Record<string, unknown>, target: WriteTarget, report: Report): boolean => {
  const { definition, operation, id } = target
  const { type, id: sentId } = data
  if (type === undefined) {
    const detail = `"type" is missing; it must be "${definition.type}"`
    report(new AppError('param_missing', { detail, source: { pointer: '/data/type' } }))
  } else if (type !== definition.type) {
    const detail = `"type" must be "${definition.type}" at this address`
    report(new AppError('type_mismatch', { detail, source: { pointer: '/data/type' } }))
  }
  const source = { pointer: '/data/id' }
  if (operation === 'create') {
    if (sentId !== undefined)
      report(notAllowed(source.pointer, 'ids are given by the server; leave "id" out'))
  } else if (sentId === undefined) {
    report(
      new AppError('key_order_mismatch', {
        detail: 'An update names its resource: "id" is missing.',
        source,
      }),
    )
  } else if (sentId !== id) {
    const key = typeof sentId === 'string' ? sentId.slice(0, 100) : JSON.stringify(sentId).slice(0, 100)
    const detail = `The URL does not support the key ${key}`
    report(new AppError('key_not_included_in_url', { detail, source }))
  }
  const isOther = operation === 'update' && sentId !== undefined && sentId !== id
  return (type === undefined || type === definition.type) && !isOther
}

const parseAttributes = (
  sent: unknown,
  target: WriteTarget,
  report: Report,
): Pick<WriteRequest, 'attributes' | 'triggers'> => {
  const attributes = new Map<string, unknown>()
  const triggers = new Map<string, unknown>()
  if (sent === undefined) return { attributes, triggers }
  if (!isPlainObject(sent)) {
    const detail = '"attributes" must be an object'
    report(new AppError('invalid_data_format', { detail, source: { pointer: '/data/attributes' } }))
    return { attributes, triggers }
  }
  for (const [name, given] of Object.entries(sent)) {
    const attribute = attributeOf(name, target.definition)
    const problem = problemOf(name, attribute, target)
    if (problem !== undefined) report(notAllowed(`/data/attributes/${escape(name)}`, problem))
    if (problem !== undefined || attribute === undefined) continue
    const value = valueOfText(given, attribute)
    if (attribute.kind !== 'trigger') attributes.set(name, value)
    else if (value !== false && value !== null) triggers.set(name, value)
  }
  return { attributes, triggers }
}

const attributeOf = (name: string, { attributes }: ResourceDefinition): Attribute | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

const problemOf = (
  name: string,
  attribute: Attribute | undefined,
  { definition, operation, isSalesChannel }: WriteTarget,
): string | undefined => {
  const shown = `"${name.slice(0, 100)}"`
  if (attribute === undefined) return `${shown} is no attribute of ${definition.type}`
  if (attribute.write === 'never') return `${shown} is read-only`
  if (!mayWrite(attribute.write, operation)) {
    return `${shown} can only be sent when the resource is ${attribute.write === 'create' ? 'created' : 'updated'}`
  }
  return attribute.prohibited && isSalesChannel ? `${shown} cannot be sent by a sales channel` : undefined
}
