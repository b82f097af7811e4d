/** What of an OpenAPI document the fuzzer walks. */

export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema?: Schema
}

export interface Operation {
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Media type and schema of the body, if it takes one. */
  readonly body?: { readonly mediaType: string; readonly schema: Schema }
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Follows `#/…` once; what does not resolve is an error in the document. */
export const resolveReference = (document: OpenApiDocument, value: unknown): Schema => {
  if (!isObject(value)) return {}
  const { $ref: reference } = value
  if (typeof reference !== 'string') return value
  const found = reference
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) => (isObject(at) ? at[key.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      document,
    )
  if (!isObject(found)) throw new Error(`${reference} leads nowhere`)
  return resolveReference(document, found)
}

const bodyOf = (document: OpenApiDocument, operation: Record<string, unknown>): Operation['body'] => {
  const { content } = resolveReference(document, operation['requestBody'])
  const [first] = isObject(content) ? Object.entries(content) : []
  if (first === undefined) return undefined
  const [mediaType, media] = first
  return { mediaType, schema: resolveReference(document, isObject(media) ? media['schema'] : {}) }
}

const parametersOf = (document: OpenApiDocument, ...lists: readonly unknown[]): readonly Parameter[] =>
  lists
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .map((each) => resolveReference(document, each) as unknown as Parameter)

/** A stream of events is no answer that can be waited for. */
const isEndless = (operation: Record<string, unknown>): boolean =>
  JSON.stringify(operation['responses']).includes('"text/event-stream"')

export const listOperations = (document: OpenApiDocument): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]): Operation[] => {
      if (!METHODS.has(method) || !isObject(operation) || isEndless(operation)) return []
      const body = bodyOf(document, operation)
      return [
        {
          method: method.toUpperCase(),
          path,
          parameters: parametersOf(document, item['parameters'], operation['parameters']),
          ...(body === undefined ? {} : { body }),
        },
      ]
    }),
  )
