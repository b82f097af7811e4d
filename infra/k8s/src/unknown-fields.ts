/**
 * Fields that Kubernetes would not know, by the attribute maps of its own JavaScript client, which are generated from the
 * published OpenAPI description. An API server drops such a field, or refuses it, long after the review.
 */
import * as client from '@kubernetes/client-node'

interface Attribute {
  readonly baseName: string
  /** `string`, `Array<V1Container>`, `{ [key: string]: string; }`, `V1PodSpec`. */
  readonly type: string
}

interface Model {
  getAttributeTypeMap(): readonly Attribute[]
}

const isModel = (value: unknown): value is Model =>
  typeof value === 'function' && 'getAttributeTypeMap' in value

const modelOf = (name: string): Model | undefined => {
  const found = (client as Record<string, unknown>)[name]
  return isModel(found) ? found : undefined
}

const SIMPLE: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  IntOrString: (value) => typeof value === 'string' || typeof value === 'number',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const inItems = (value: unknown, type: string, path: string): string[] =>
  Array.isArray(value)
    ? value.flatMap((item, index) => violationsIn(item, type, `${path}/${index}`))
    : [`${path}: is no list`]

const inEntries = (value: unknown, type: string, path: string): string[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, item]) => violationsIn(item, type, `${path}/${key}`))
    : [`${path}: is no map`]

const inModel = (value: unknown, model: Model, path: string): string[] => {
  if (!isRecord(value)) return [`${path}: is no map`]
  const attributes = new Map(model.getAttributeTypeMap().map(({ baseName, type }) => [baseName, type]))
  return Object.entries(value).flatMap(([key, item]) => {
    const type = attributes.get(key)
    const allowed = [...attributes.keys()].join(', ')
    return type === undefined
      ? [`${path}/${key}: there is no such field; allowed: ${allowed}`]
      : violationsIn(item, type, `${path}/${key}`)
  })
}

const violationsIn = (value: unknown, type: string, path: string): string[] => {
  const item = /^Array<(.+)>$/.exec(type)?.[1]
  if (item !== undefined) return inItems(value, item, path)
  const entry = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  if (entry !== undefined) return inEntries(value, entry, path)
  const simple = SIMPLE[type]
  if (simple !== undefined) return simple(value) ? [] : [`${path}: is no ${type}`]
  const model = modelOf(type)
  return model === undefined ? [] : inModel(value, model, path)
}

/** `apps/v1`, `Deployment` → `V1Deployment`. */
const modelNameOf = (apiVersion: string, kind: string): string => {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1)
  return `${version[0]?.toUpperCase() ?? ''}${version.slice(1)}${kind}`
}

/** @returns a sentence for each field that is unknown or of another type; one when the kind is unknown. */
export const findUnknownFields = (document: {
  readonly apiVersion: string
  readonly kind: string
}): string[] => {
  const name = modelNameOf(document.apiVersion, document.kind)
  const model = modelOf(name)
  return model === undefined
    ? [`there is no ${document.kind} in ${document.apiVersion}`]
    : inModel(document, model, '')
}
