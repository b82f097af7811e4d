/** Writes docs/reference/metrics-openapi.json from the catalogue: `node services/metrics/gen/metrics-openapi.ts`. */
import { writeFile } from 'node:fs/promises'
import type { Resource } from '../src/catalogue/attribute.ts'
import { loadCatalogue, loadFbt } from '../src/catalogue/load-catalogue.ts'
import { bodyKeyOf, kinds, type Kind } from '../src/request/query.ts'
import { answerSchemas, errorResponses } from './openapi/answer-schemas.ts'
import { comparisonSchemas, filterSchema, sectionsSchema } from './openapi/filter-schemas.ts'
import { querySchemas } from './openapi/query-schemas.ts'
import { objectOf, pascalCase, refTo, type Schema } from './openapi/schema.ts'

export const OPENAPI = new URL('../../../docs/reference/metrics-openapi.json', import.meta.url)

const MEDIA_TYPE = 'application/vnd.api+json'

const summaries: Readonly<Record<Kind, string>> = {
  breakdown: 'Buckets by an attribute, one more level inside.',
  date_breakdown: 'Buckets by a date, two levels inside.',
  stats: 'One computed value.',
  search: 'Records, page by page.',
  export: 'Records as CSV, in one answer.',
}

const requestName = (resource: Resource, kind: Kind): string =>
  `${pascalCase(resource.name)}${pascalCase(kind)}Request`

/** Exactly the query and the filter (contract, "Metrics query request body"). */
const requestSchema = (resource: Resource, kind: Kind): Schema =>
  objectOf(
    {
      [bodyKeyOf(kind)]: refTo(`${pascalCase(resource.name)}${pascalCase(kind)}`),
      filter: refTo(`${pascalCase(resource.name)}Filter`),
    },
    [bodyKeyOf(kind)],
  )

const operation = (id: string, summary: string, request: string, content: Schema): Schema => ({
  post: {
    operationId: id,
    summary,
    requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: refTo(request) } } },
    responses: { '200': { description: 'OK', content }, ...errorResponses(MEDIA_TYPE) },
  },
})

const contentOf = (kind: string): Schema =>
  kind === 'export'
    ? { 'text/csv': { schema: { type: 'string' } } }
    : { [MEDIA_TYPE]: { schema: refTo(`${pascalCase(kind)}Answer`) } }

/** The whole document (OpenAPI 3.1), of the strict dialect. */
export const renderOpenApi = (): Schema => {
  const catalogue = loadCatalogue()
  const resources = [...catalogue.values()]
  const fbt = loadFbt(catalogue)
  const pairs = resources.flatMap((resource) => kinds.map((kind) => ({ resource, kind })))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Metrics',
      version: '1',
      description:
        'Analytical queries over orders, carts and returns. Every request carries `Accept: application/vnd.api.v1+json`. Generated from services/metrics/src/catalogue; do not edit.',
    },
    servers: [{ url: 'http://localhost:8080/metrics' }],
    security: [{ accessToken: [] }],
    paths: {
      ...Object.fromEntries(
        pairs.map(({ resource, kind }) => [
          `/${resource.name}/${kind}`,
          operation(
            `${kind}_of_${resource.name}`,
            summaries[kind],
            requestName(resource, kind),
            contentOf(kind),
          ),
        ]),
      ),
      '/analysis/fbt': operation(
        'fbt',
        'What is frequently bought together.',
        'FbtRequest',
        contentOf('fbt'),
      ),
    },
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: {
        ...comparisonSchemas,
        ...Object.fromEntries(
          resources.map((resource) => [`${pascalCase(resource.name)}Filter`, filterSchema(resource)]),
        ),
        ...Object.fromEntries(resources.flatMap((resource) => Object.entries(querySchemas(resource)))),
        ...Object.fromEntries(
          pairs.map(({ resource, kind }) => [requestName(resource, kind), requestSchema(resource, kind)]),
        ),
        FbtRequest: objectOf({ filter: sectionsSchema(fbt.filters), fbt: objectOf({}) }, ['filter']),
        ...answerSchemas,
      },
    },
  }
}

if (import.meta.main) await writeFile(OPENAPI, `${JSON.stringify(renderOpenApi(), null, 1)}\n`)
