/** The OpenAPI document is what the catalogue says, and its schemas take what the service takes. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { RESOURCES } from '../src/catalogue/load-catalogue.ts'
import { violationCases } from '../test/data/violation-cases.ts'
import { arbitraryRequest, underCartAlias } from '../test/support/arbitrary-request.ts'
import { makeDocuments } from '../test/support/documents.ts'
import { toReturnViews, toView } from '../test/support/oracle-view.ts'
import { resourceData } from '../test/support/resource-data.ts'
import { OPENAPI, renderOpenApi } from './metrics-openapi.ts'
import { pascalCase, type Schema } from './openapi/schema.ts'

interface Case {
  readonly name: string
  readonly path: string
  readonly body: unknown
  readonly status: number
  readonly vendor_dialect_only?: boolean
}

const useCases = JSON.parse(
  readFileSync(new URL('../test/data/use-cases.json', import.meta.url), 'utf8'),
) as readonly Case[]

const document = renderOpenApi() as Schema & {
  readonly paths: Readonly<Record<string, Schema>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const ajv = new Ajv2020({ strict: false, formats: { uuid: true, 'date-time': true } })
ajv.addSchema({ $id: 'https://merx.invalid/openapi', ...document })

/** Whether the schema of the request body of this path takes it. */
const takes = (path: string, body: unknown): boolean => {
  const [, , resource = '', kind = ''] = path.split('/')
  const name = kind === 'fbt' ? 'FbtRequest' : `${pascalCase(resource)}${pascalCase(kind)}Request`
  const validate = ajv.getSchema(`https://merx.invalid/openapi#/components/schemas/${name}`)
  if (validate === undefined) throw new Error(`no schema for ${path}`)
  return validate(body) as boolean
}

/** Rules between values or inside texts, which no schema of the document states. */
const BEYOND_A_SCHEMA = [
  'refuses a range that ends before it begins',
  'refuses an impossible date and one without time',
  'refuses high before low',
  'refuses more digits after the point than are compared, instead of comparing another number',
  'refuses a fraction of a condition that is too long',
  'explains a broken text query',
  'refuses a cursor that was made up',
]

describe('docs/reference/metrics-openapi.json', () => {
  it('is what the catalogue says', () => {
    expect(JSON.parse(readFileSync(OPENAPI, 'utf8'))).toEqual(document)
  })

  it('has every path, and no reference that leads nowhere', () => {
    expect(Object.keys(document.paths)).toHaveLength(3 * 5 + 1)
    const names = Object.keys(document.components.schemas)
    for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(names).toContain(name)
    }
  })

  it('gives every operation the statuses of the contract', () => {
    const statuses = ['200', '400', '401', '404', '405', '406', '415', '422', '429', '500']
    for (const operation of Object.values(document.paths)) {
      const { responses } = (operation as { post: { responses: object } }).post
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(statuses))
    }
  })

  const judged = useCases.filter(({ status, body }) => [200, 400, 422].includes(status) && body !== undefined)
  it.each(judged.map((one) => [one.name, one] as const))('judges %s as the service does', (_, one) => {
    if (typeof one.body === 'string') return // no JSON at all
    expect(takes(one.path, one.body)).toBe(one.status === 200 && one.vendor_dialect_only !== true)
  })

  const violations = violationCases.filter(({ name }) => !BEYOND_A_SCHEMA.includes(name))
  it.each(violations.map((one) => [one.name, one] as const))(
    'refuses what the service refuses: %s',
    (_, one) => {
      expect(takes(one.path ?? '/metrics/orders/stats', one.body)).toBe(false)
    },
  )

  it('refuses the section of carts under both of its names', () => {
    const filter = { cart: { guest: true }, order: { guest: true } }
    const stats = { field: 'cart.id', operator: 'value_count' }
    expect(takes('/metrics/carts/stats', { stats, filter })).toBe(false)
    expect(takes('/metrics/carts/stats', { stats, filter: { cart: filter.cart } })).toBe(true)
  })

  it.each(RESOURCES)('takes every request over %s that the service takes', (name) => {
    const documents = makeDocuments(3, 60)
    const views = name === 'returns' ? documents.flatMap(toReturnViews) : documents.map(toView)
    const requests = arbitraryRequest(resourceData[name], views).filter(({ dialect }) => dialect === 'strict')
    fc.assert(
      fc.property(requests, ({ kind, body }) => {
        expect(takes(`/metrics/${name}/${kind}`, body)).toBe(true)
        if (name === 'carts') expect(takes(`/metrics/${name}/${kind}`, underCartAlias(body))).toBe(true)
      }),
      { seed: 3, numRuns: 150 },
    )
  })
})
