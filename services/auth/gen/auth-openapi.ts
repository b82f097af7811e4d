/**
 * Writes docs/reference/auth-openapi.json: every endpoint of the authentication host, its parameters from the lists that
 * the service itself reads: `node services/auth/gen/auth-openapi.ts`.
 */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Attribute } from '@merx/jsonapi/attributes'
import type { Operation, ResourceDefinition } from '@merx/jsonapi/define-resource'
import { limits } from '@merx/jsonapi/limits'
import { grants } from '../src/grants/index.ts'
import { PARAMETER_LENGTH_MAX } from '../src/grants/token-parameters.ts'
import { ownResources, provisionedResources } from '../src/provisioning/resources/index.ts'

export const authOpenApiFile = new URL('../../../docs/reference/auth-openapi.json', import.meta.url)

type Schema = Readonly<Record<string, unknown>>

const JSON_API = 'application/vnd.api+json'
const FORM = 'application/x-www-form-urlencoded'

const text = (maxLength: number): Schema => ({ type: 'string', maxLength })

const content = (schema: Schema, ...types: readonly string[]): Schema =>
  Object.fromEntries(types.map((type) => [type, { schema }]))

const answers = (success: string, description: string, ...refusals: readonly string[]): Schema =>
  Object.fromEntries<Schema>([
    [success, { description }],
    ...refusals.map((status): [string, Schema] => [status, { $ref: '#/components/responses/Refusal' }]),
  ])

const oauthPost = (summary: string, schema: Schema, statuses: readonly string[]): Schema => ({
  post: {
    summary,
    requestBody: { required: true, content: content(schema, 'application/json', FORM) },
    responses: answers('200', 'What was asked for.', ...statuses),
  },
})

const get = (summary: string, statuses: readonly string[] = []): Schema => ({
  get: { summary, responses: answers('200', 'What was asked for.', ...statuses) },
})

const tokenParameters: Schema = {
  type: 'object',
  required: ['grant_type', 'client_id'],
  properties: {
    ...Object.fromEntries(Object.entries(PARAMETER_LENGTH_MAX).map(([name, max]) => [name, text(max)])),
    grant_type: { type: 'string', enum: grants.map(({ name }) => name) },
  },
}

const tokenOfClient: Schema = {
  type: 'object',
  required: ['token'],
  properties: {
    token: text(PARAMETER_LENGTH_MAX.assertion),
    client_id: text(PARAMETER_LENGTH_MAX.client_id),
    client_secret: text(PARAMETER_LENGTH_MAX.client_secret),
  },
}

const query = (name: string, schema: Schema): Schema => ({ name, in: 'query', schema })

const authorizeQuery = [
  query('response_type', { type: 'string', enum: ['code'] }),
  query('client_id', text(PARAMETER_LENGTH_MAX.client_id)),
  query('redirect_uri', text(PARAMETER_LENGTH_MAX.redirect_uri)),
  query('scope', text(PARAMETER_LENGTH_MAX.scope)),
  query('state', { type: 'string' }),
  query('code_challenge', { type: 'string', minLength: 43, maxLength: 43 }),
  query('code_challenge_method', { type: 'string', enum: ['S256'] }),
]

const TYPES: Readonly<Partial<Record<Attribute['kind'], Schema>>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  instant: { type: 'string', format: 'date-time' },
  object: { type: 'object' },
  list: { type: 'array', items: {} },
  trigger: { type: 'boolean' },
}

const sentSchema = ({ kind, values, min, max }: Attribute): Schema => {
  if (values !== undefined && kind === 'oneOf') return { type: 'string', enum: values }
  const [least, most] = kind === 'text' ? ['minLength', 'maxLength'] : ['minimum', 'maximum']
  return {
    ...TYPES[kind],
    ...(min === undefined ? {} : { [least]: min }),
    ...(max === undefined ? {} : { [most]: max }),
  }
}

const isSentAt = (write: Attribute['write'], operation: 'create' | 'update'): boolean =>
  write === 'always' || write === operation

const linkageSchema = (targets: readonly string[]): Schema => ({
  type: 'object',
  required: ['data'],
  properties: {
    data: {
      type: ['object', 'null'],
      required: ['type', 'id'],
      properties: { type: { type: 'string', enum: targets }, id: { type: 'string' } },
    },
  },
})

const documentSchema = (definition: ResourceDefinition, operation: 'create' | 'update'): Schema => {
  const attributes = Object.entries(definition.attributes).filter(([, { write }]) =>
    isSentAt(write, operation),
  )
  const relationships = Object.entries(definition.relationships).filter(([, { write }]) =>
    isSentAt(write, operation),
  )
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        required: operation === 'create' ? ['type', 'attributes'] : ['type', 'id'],
        properties: {
          type: { const: definition.type },
          ...(operation === 'update' ? { id: { type: 'string' } } : {}),
          attributes: {
            type: 'object',
            properties: Object.fromEntries(attributes.map(([name, each]) => [name, sentSchema(each)])),
          },
          relationships: {
            type: 'object',
            properties: Object.fromEntries(
              relationships.map(([name, each]) => [
                name,
                linkageSchema(each.kind === 'polymorphicToOne' ? each.targets : [each.target]),
              ]),
            ),
          },
        },
      },
    },
  }
}

const readQuery = ({ attributes, relationships, type }: ResourceDefinition): readonly Schema[] => [
  query('page[number]', { type: 'integer', minimum: 1 }),
  query('page[size]', { type: 'integer', minimum: 1, maximum: limits.pageSizeMax }),
  query('sort', { type: 'string', enum: Object.keys(attributes).filter((name) => attributes[name]?.sort) }),
  query('include', { type: 'string', enum: Object.keys(relationships) }),
  query(`fields[${type}]`, { type: 'string', enum: Object.keys(attributes) }),
  ...Object.keys(attributes)
    .filter((name) => attributes[name]?.filter)
    .map((name) => query(`filter[q][${name}_eq]`, { type: 'string' })),
]

const REFUSALS = ['400', '401', '429', '503']

const operationOf = (definition: ResourceDefinition, operation: Operation): Schema => {
  const summary = `${operation} ${definition.type}`
  const isWrite = operation === 'create' || operation === 'update'
  const body = isWrite
    ? { requestBody: { required: true, content: content(documentSchema(definition, operation), JSON_API) } }
    : {}
  // Lists of what users have of their own take none.
  const isSearched = operation === 'list' && provisionedResources.findByPath(definition.path) !== undefined
  const parameters = isSearched ? { parameters: readQuery(definition) } : {}
  const success = operation === 'create' ? '201' : operation === 'delete' ? '204' : '200'
  const more = operation === 'list' ? [] : isWrite ? ['404', '409', '422', '423'] : ['404', '423']
  return { summary, ...parameters, ...body, responses: answers(success, 'Done.', ...REFUSALS, ...more) }
}

const METHODS: Readonly<Record<Operation, string>> = {
  list: 'get',
  retrieve: 'get',
  create: 'post',
  update: 'patch',
  delete: 'delete',
}

const pathsOf = (definition: ResourceDefinition): Schema => {
  const collection = `/provisioning/${definition.path}`
  const at = (operations: readonly Operation[]): Schema =>
    Object.fromEntries(
      operations
        .filter((operation) => definition.operations.includes(operation))
        .map((operation) => [METHODS[operation], operationOf(definition, operation)]),
    )
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  return {
    [collection]: at(['list', 'create']),
    [`${collection}/{id}`]: { parameters: [id], ...at(['retrieve', 'update', 'delete']) },
  }
}

const versionOfAuth = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string })
    .version

export const renderAuthOpenApi = (): string => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Merx authentication host', version: versionOfAuth() },
    paths: {
      '/oauth/authorize': {
        get: {
          summary: 'The page on which a user signs in and consents.',
          parameters: authorizeQuery,
          responses: answers('200', 'A page.', '302', '400', '429', '503'),
        },
      },
      '/oauth/token': oauthPost('Issue an access token.', tokenParameters, REFUSALS),
      '/oauth/revoke': oauthPost('End a token.', tokenOfClient, REFUSALS),
      '/oauth/introspect': oauthPost('What a token says.', tokenOfClient, REFUSALS),
      '/oauth/tokeninfo': get("A token's own role, permissions and owner.", ['401', '429', '503']),
      '/.well-known/jwks.json': get('The public signing keys.'),
      '/.well-known/oauth-authorization-server': get('What this server supports.'),
      ...Object.fromEntries(
        [...provisionedResources.definitions, ...ownResources.definitions].flatMap((definition) =>
          Object.entries(pathsOf(definition)),
        ),
      ),
    },
    components: { responses: { Refusal: { description: 'See docs/reference/errors.md.' } } },
  }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

if (import.meta.main) await writeFile(authOpenApiFile, renderAuthOpenApi())
