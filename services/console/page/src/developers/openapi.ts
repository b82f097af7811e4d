/** The OpenAPI documents of the three services: core's as it answers now, the others as they are published. */
import { askCore } from '../data/api.ts'
import { METHODS, type Method, type Service } from './developers-search.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly [other: string]: unknown
}

interface Content {
  readonly schema?: Schema
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

export interface Operation {
  readonly summary?: string
  readonly description?: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, Content>> }
  readonly responses?: Readonly<
    Record<
      string,
      {
        readonly $ref?: string
        readonly description?: string
        readonly content?: Readonly<Record<string, Content>>
      }
    >
  >
}

type PathItem = Readonly<Partial<Record<Lowercase<Method>, Operation>>> & {
  readonly parameters?: readonly Parameter[]
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components?: Readonly<Record<string, unknown>>
}

const READ: Readonly<Record<Service, () => Promise<OpenApi>>> = {
  core: () => askCore<OpenApi>('openapi.json'),
  metrics: async () => (await import('../../../../../docs/reference/metrics-openapi.json')).default,
  auth: async () => (await import('../../../../../docs/reference/auth-openapi.json')).default,
}

/** @throws Refused */
export const readOpenApi = (service: Service): Promise<OpenApi> => READ[service]()

export interface Endpoint {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
  /** Those of the path, then those of the method. */
  readonly parameters: readonly Parameter[]
}

/** What `#/components/…` stands for; undefined when there is nothing. */
export const resolveReference = (document: OpenApi, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, part) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined,
      document,
    )

/** A value, or what it refers to. */
export const resolved = <Value extends { readonly $ref?: string }>(document: OpenApi, value: Value): Value =>
  value.$ref === undefined ? value : ((resolveReference(document, value.$ref) ?? value) as Value)

/** Every method of every path, in the order of the document. */
export const endpointsOf = (document: OpenApi): readonly Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method.toLowerCase() as Lowercase<Method>]
      if (operation === undefined) return []
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
        resolved(document, parameter),
      )
      return [{ method, path, operation, parameters }]
    }),
  )

/** The path on this origin, for the request console: that of the server of the document, then that of the endpoint. */
export const addressOf = (document: OpenApi, { path }: Endpoint): string => {
  const [server] = document.servers ?? []
  const prefix = server === undefined ? '' : new URL(server.url, window.location.origin).pathname
  return `${prefix.replace(/\/$/, '')}${path}`
}

/** `text, one of a, b, 1 to 64 characters`: what a schema admits, in a line. */
export const describeSchema = (schema: Schema): string => {
  const { type, enum: values, const: constant, format, minimum, maximum, minLength, maxLength } = schema
  const parts = [
    Array.isArray(type) ? type.join(' or ') : (type ?? ''),
    typeof format === 'string' ? format : '',
    constant === undefined ? '' : `always ${JSON.stringify(constant)}`,
    values === undefined ? '' : `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`,
    typeof minimum === 'number' ? `at least ${minimum}` : '',
    typeof maximum === 'number' ? `at most ${maximum}` : '',
    typeof minLength === 'number' ? `at least ${minLength} characters` : '',
    typeof maxLength === 'number' ? `at most ${maxLength} characters` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}
