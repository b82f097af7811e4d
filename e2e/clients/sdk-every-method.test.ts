/**
 * Every method of every resource of the unmodified @commercelayer/sdk reaches something: records that are not there are what is
 * not found, never an address, a method or a member of a document.
 */
import { CommerceLayerStatic } from '@commercelayer/sdk'
import { CommerceLayer } from '@commercelayer/sdk/bundle'
import { accessToken, connect } from '../support/connect.ts'
import { createMappedFetch } from '../support/mapped-fetch.ts'

const ORGANIZATION = 1
const NOBODY = 'aaaaaaaaaa'

/** What the SDK has and the facts of the interface do not: histories are read by their records, no vendor is called. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  event_stores: ['list', 'count'],
  shipping_weight_tiers: ['events'],
  adyen_gateways: ['_check'],
  braintree_gateways: ['_check'],
  checkout_com_gateways: ['_check'],
  paypal_gateways: ['_check'],
  stripe_gateways: ['_check'],
}

type Method = (...args: readonly unknown[]) => Promise<unknown>
type Resource = Readonly<Record<string, Method>>

const SINGLETONS = ['application', 'organization'] as const

const types: readonly string[] = CommerceLayerStatic.resources().filter(
  (type) => !SINGLETONS.some((singleton) => type === `${singleton}s`),
)

let token: string

beforeAll(async () => {
  token = await accessToken('integration', { organization: ORGANIZATION })
})

/** From an address of its own: rate limits are not what this is about. */
const resourceOf = (type: string): Resource => {
  const cl = CommerceLayer({ accessToken: token, fetch: createMappedFetch().fetch })
  return Reflect.get(cl, type) as Resource
}

/** They ask nothing. */
const LOCAL = /^(constructor|type|path|is[A-Z].*|relationship.*)$/

/** Methods of the type itself, not those that all resources share. */
const ownMethods = (type: string): readonly string[] =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(resourceOf(type))).filter((name) => !LOCAL.test(name))

/** Codes of what was refused, each once, none when it was done. What a record lacks besides is not what this is about. */
const codesOf = async (call: Promise<unknown>): Promise<readonly string[]> => {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error === undefined) return []
  if (!CommerceLayerStatic.isApiError(error)) throw new Error('no error of the interface', { cause: error })
  const codes = error.errors.map(({ code }) => String(code))
  return [...new Set(codes)].filter((code) => code !== 'VALIDATION_ERROR')
}

interface Step {
  readonly args: readonly unknown[]
  readonly expected: readonly string[]
}

const READS = ['list', 'count']
const NOT_THERE = ['RECORD_NOT_FOUND']
const VALUE_TRIGGER_PARAMETERS = 4

const stepOf = (name: string, method: Method): Step => {
  if (READS.includes(name)) return { args: [], expected: [] }
  // Nothing is made of it: the attribute is none.
  if (name === 'create') return { args: [{ nonsense: 1 }], expected: ['PARAM_NOT_ALLOWED'] }
  if (name === 'update') return { args: [{ id: NOBODY }], expected: NOT_THERE }
  if (name.startsWith('_') && method.length === VALUE_TRIGGER_PARAMETERS)
    return { args: [NOBODY, '1'], expected: NOT_THERE }
  return { args: [NOBODY], expected: NOT_THERE }
}

it('knows every type of the SDK', async () => {
  const { data } = (await connect().core('public/resources')).json<{
    data: readonly { readonly attributes: { readonly name: string } }[]
  }>()
  const served = new Set(data.map(({ attributes }) => attributes.name))
  expect(types.filter((type) => !served.has(type))).toEqual([])
})

it.each(types)('%s', async (type) => {
  const found: Record<string, readonly string[]> = {}
  const expected: Record<string, readonly string[]> = {}
  for (const name of new Set([...READS, 'retrieve', ...ownMethods(type)])) {
    const method = resourceOf(type)[name]
    if (method === undefined || ELSEWHERE[type]?.includes(name) === true) continue
    const step = stepOf(name, method)
    expected[name] = step.expected
    found[name] = await codesOf(resourceOf(type)[name]?.(...step.args) ?? Promise.reject(new Error(name)))
  }
  expect(found).toEqual(expected)
})

it.each(SINGLETONS)('%s, of which there is one', async (type) => {
  expect(await codesOf(resourceOf(type)['retrieve']?.() ?? Promise.reject(new Error(type)))).toEqual([])
})
