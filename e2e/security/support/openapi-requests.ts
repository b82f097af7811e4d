/** One generated request to one operation of an OpenAPI document. */
import type { FuzzRequest } from '../../support/fuzz-request.ts'
import { ODD_MEDIA_TYPES, ODD_TEXTS } from '../../support/odd-values.ts'
import type { Random } from '../../support/random.ts'
import type { OpenApiDocument, Operation, Parameter } from './openapi.ts'
import { createSchemaValues } from './values-of-schema.ts'

export interface RequestSource {
  readonly document: OpenApiDocument
  readonly random: Random
  readonly tokens: readonly string[]
  /** Real ids of the type that a path names, so that not every request ends with a 404. */
  readonly idsOf: (path: string) => readonly string[]
  readonly accept: string
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

export const createOpenApiRequests = ({ document, random, tokens, idsOf, accept }: RequestSource) => {
  const { pick, chance } = random
  const valueOf = createSchemaValues(document, random)

  const inPath = (path: string, name: string): string => {
    const ids = idsOf(path)
    if (name.endsWith('d') && ids.length > 0 && chance(0.7)) return pick(ids)
    return encode(pick(['AAAAAAAAAA', ...ODD_TEXTS]).slice(0, 200)) || '-'
  }

  const query = (parameters: readonly Parameter[]): string => {
    const chosen = parameters.filter((each) => each.in === 'query' && chance(0.4))
    const text = chosen
      .map(({ name, schema }) => `${encode(name)}=${encode(textOf(valueOf(schema)))}`)
      .join('&')
    return text === '' ? '' : `?${text}`
  }

  const bodyOf = ({ body }: Operation): Pick<FuzzRequest, 'body'> => {
    if (body === undefined) return {}
    const value = valueOf(body.schema)
    if (body.mediaType !== 'application/x-www-form-urlencoded')
      return { body: JSON.stringify(value) ?? 'null' }
    const fields = Object.entries((value ?? {}) as Record<string, unknown>)
    return { body: fields.map(([name, each]) => `${encode(name)}=${encode(textOf(each))}`).join('&') }
  }

  return (operation: Operation): FuzzRequest => {
    const { method, path, parameters, body } = operation
    const type = body === undefined ? undefined : chance(0.97) ? body.mediaType : pick(ODD_MEDIA_TYPES)
    return {
      method,
      path: path.replaceAll(/\{([^}]+)\}/g, (_match, name: string) => inPath(path, name)) + query(parameters),
      headers: {
        Accept: chance(0.97) ? accept : pick(ODD_MEDIA_TYPES),
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(chance(0.97) && tokens.length > 0 ? { Authorization: `Bearer ${pick(tokens)}` } : {}),
      },
      ...bodyOf(operation),
    }
  }
}
