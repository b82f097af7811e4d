/** Every definition against the facts of its type in test/data/; what differs on purpose is listed here. */
import { readFileSync } from 'node:fs'
import { companionsOf } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import { commonAttributes } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import type { Relationship } from '@merx/jsonapi/relationships'
import { areas, resources } from './areas.ts'
import { createRegistry } from './engine/registry.ts'
import { orderCommands } from './orders/commands/commands.ts'
import { CHANGEABLE_IN, DESCRIPTIVE } from './orders/order-changes.ts'
import { LEFT_TO_WORKFLOWS } from './orders/unsupported-triggers.ts'
import { VENDORS } from './payments/vendors/vendors.ts'
import { RULE_TYPES } from './promotions/promotion-rules.ts'
import { PROMOTION_TYPES } from './promotions/promotion-types.ts'

interface AttributeFact {
  readonly name: string
  readonly type: string
  readonly create: 'no' | 'optional' | 'required'
  readonly update: boolean
  readonly enum?: readonly string[]
  readonly trigger?: boolean
  readonly trigger_arg?: boolean
  readonly writeOnly?: boolean
  readonly hidden?: boolean
  readonly single_only?: boolean
  readonly secret?: boolean
  readonly no_sales_channel?: boolean
  readonly of?: string
}

interface RelationshipFact {
  readonly name: string
  readonly card: 'one' | 'many'
  readonly target: readonly string[]
  readonly abstract?: string
  readonly create: 'no' | 'optional' | 'required'
  readonly update: boolean
  readonly cond?: string
  readonly virtual?: boolean
  readonly include?: boolean
  readonly no_sales_channel?: boolean
}

interface Facts {
  readonly operations: readonly string[]
  readonly singleton?: boolean
  readonly attributes: readonly AttributeFact[]
  readonly relationships: readonly RelationshipFact[]
  readonly filterable: { readonly attributes: readonly string[]; readonly relationships: readonly string[] }
  readonly sortable: { readonly attributes: readonly string[]; readonly relationships: readonly string[] }
}

const readFacts = (name: string): Readonly<Record<string, Facts>> =>
  JSON.parse(readFileSync(new URL(`../test/data/${name}.json`, import.meta.url), 'utf8')) as Readonly<
    Record<string, Facts>
  >
const facts = {
  ...readFacts('tier-1'),
  ...readFacts('cross-cutting'),
  ...readFacts('jobs'),
  ...readFacts('shipping'),
  ...readFacts('pricing'),
  ...readFacts('customers'),
  ...readFacts('payments'),
  ...readFacts('vendor-payments'),
  ...readFacts('vendor-accounts'),
  ...readFacts('resource-errors'),
  ...readFacts('webhooks'),
  ...readFacts('subscriptions'),
  ...readFacts('promotions'),
  ...readFacts('after-sales'),
  ...readFacts('merchandising'),
}
const registry = createRegistry(areas, { ids: testIds })

/** Relationships that filters may follow though no fact says so, and why. */
const FOLLOWED: Readonly<Record<string, string>> = {
  'wire_transfers.order': 'sales channels may do what the status of the order allows',
  'stripe_payments.order': 'sales channels may do what the status of the order allows',
}

/** The four rules of a promotion name it when they are written. */
const RULES_OF_PROMOTIONS = Object.fromEntries(
  PROMOTION_TYPES.flatMap((type) =>
    RULE_TYPES.map((rule) => [
      `${type}.${rule.slice(0, -1)}`,
      'a rule names its promotion when it is written',
    ]),
  ),
)

const STATUS_OF_PROMOTIONS = Object.fromEntries(
  ['promotions', ...PROMOTION_TYPES].map((type) => [
    `${type}.status`,
    'it follows from the present, so no column has it',
  ]),
)

const PAYMENTS_OF_GATEWAYS = Object.fromEntries(
  VENDORS.map((vendor) => [
    `${vendor}_gateways.${vendor}_payments`,
    'a payment has the gateway of the payment method of its order',
  ]),
)

/** Attributes whose definition says something else than the fact, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'applications.kind': 'auth decides which kinds exist',
  'imports.inputs': 'a list or a text, required; imports/read-inputs.ts says which',
  'imports.attachment_url': 'signed at every read, so there is nothing to filter or sort by',
  'exports.attachment_url': 'signed at every read, so there is nothing to filter or sort by',
  'stock_items.reserved_stock': 'the key is on the other side, so there is no column to sort by',
  'stock_line_items.stock_reservation': 'the key is on the other side, so there is no column to sort by',
  'stock_transfers.stock_reservation': 'the key is on the other side, so there is no column to sort by',
  'parcel_line_items.shipment_line_item': 'deprecated: shown, not accepted',
  'customer_password_resets.reset_password_token': 'sealed, so there is nothing to filter by',
  'customer_addresses.customer_email': 'required, unless the customer is given',
  'captures.return': 'the key is on the other side, so there is no column to sort by',
  'refunds.return': 'the key is on the other side, so there is no column to sort by',
  'manual_tax_calculators.tax_rules': 'a rule names its calculator when it is written',
  'price_tiers.up_to': 'a whole number, as in the types of tiers',
  'prices.price_tiers': 'a tier names its price when it is written',
  'sku_list_items.quantity': 'never null, because 1 is the default',
  'shipping_methods.shipping_method_tiers': 'a tier names its method when it is written',
  'coupon_codes_promotion_rules.coupons': 'a coupon names its rule when it is written',
  'adyen_gateways.merchant_account': 'sealed, so there is nothing to sort by',
  'satispay_gateways.token': 'what signs in is sealed and shown to confidential credentials only',
  ...PAYMENTS_OF_GATEWAYS,
  'avalara_accounts.tax_categories': 'a category names its calculator when it is written',
  'stripe_tax_accounts.tax_categories': 'a category names its calculator when it is written',
  'taxjar_accounts.tax_categories': 'a category names its calculator when it is written',
  'stripe_tax_accounts.api_key': 'sealed, so there is nothing to sort by',
  'taxjar_accounts.api_key': 'sealed, so there is nothing to sort by',
  'vertex_accounts.client_id': 'sealed, so there is nothing to sort by',
  'vertex_accounts.client_secret': 'sealed, so there is nothing to sort by',
  'talon_one_accounts.api_key': 'sealed, so there is nothing to sort by',
  'talon_one_accounts.baseurl': 'sealed, so there is nothing to sort by',
  'carrier_accounts.credentials': 'sealed and never shown',
  'shipment_line_items.stock_reservation': 'the key is on the other side, so there is no column to sort by',
  ...RULES_OF_PROMOTIONS,
  ...STATUS_OF_PROMOTIONS,
  'links.status': 'it follows from the present, so no column has it',
  'price_list_schedulers.status': 'it follows from the present, so no column has it',
}

/** Attributes no fact names. */
const ADDED: Readonly<Record<string, string>> = {
  'external_gateways.webhook_endpoint_url': 'commerce.md 1.2 names it, the list of attributes does not',
  'customer_addresses.country_code': 'not shown, but the facts let lists be filtered by it',
  'exports.escape_formulas': 'gives texts as they are stored when false, for programs that read CSV',
  'webhooks._resend': 'what failed is sent again at once, not event by event',
  'webhooks._resend_from': 'argument of _resend',
  'webhooks._resend_to': 'argument of _resend',
  'prices.original_amount_float': 'amounts come in triples, this one too',
}

const KINDS: Readonly<Record<string, readonly string[]>> = {
  string: ['text', 'oneOf', 'computed'],
  integer: ['integer', 'cents', 'computed'],
  float: ['float', 'computed'],
  boolean: ['boolean', 'computed'],
  datetime: ['instant'],
  object: ['object', 'loaded', 'computed'],
  array: ['list'],
}

const writeOf = ({ create, update }: { create: string; update: boolean }): string => {
  if (create === 'no') return update ? 'update' : 'never'
  return update ? 'always' : 'create'
}

const isCompanion = (fact: AttributeFact): boolean =>
  fact.of !== undefined || fact.name.startsWith('formatted_')

const describeAttribute = (declared: Attribute): unknown => ({
  write: declared.write,
  required: declared.required,
  values: declared.values,
  show: declared.show,
  secret: declared.secret,
  prohibited: declared.prohibited,
  filter: declared.filter,
  sort: declared.sort,
})

const expectedAttribute = (
  fact: AttributeFact,
  { filterable, sortable }: Facts,
  declared: Attribute,
): unknown => ({
  write: writeOf(fact),
  required: fact.create === 'required',
  // The facts name a few codes by format; the lists of countries and currencies are longer than any enum there.
  values: fact.enum ?? (declared.kind === 'oneOf' ? declared.values : undefined),
  show: fact.writeOnly === true ? 'never' : fact.single_only === true ? 'single' : 'always',
  secret: fact.secret ?? false,
  prohibited: fact.no_sales_channel ?? false,
  filter: filterable.attributes.includes(fact.name),
  sort: sortable.attributes.includes(fact.name),
})

const factsOf = ({ type }: ResourceDefinition): Facts => {
  const found = facts[type]
  if (found === undefined) throw new Error(`no facts about ${type}`)
  return found
}

const cases = Object.keys(facts).map((type) => [type, registry.require(type)] as const)

/** Of the public manifest of release 7.9.16. */
const TYPES_OF_MANIFEST = 135

test('every type of the manifest is there', () => {
  expect(new Set(resources.map(({ type }) => type)).size).toBe(TYPES_OF_MANIFEST)
})

test('a relationship to a type that nothing defines is refused at load, by its name', () => {
  const rest = areas.map((area) => ({
    ...area,
    resources: area.resources.filter(({ type }) => type !== 'geocoders'),
  }))
  expect(() => createRegistry(rest, { ids: testIds })).toThrow(
    'markets.geocoder: unknown target type geocoders: no resource has this type',
  )
})

test.each(cases)('%s has the operations of the facts', (_type, definition) => {
  const { operations, singleton } = factsOf(definition)
  expect(definition.isSingleton).toBe(singleton ?? false)
  expect([...definition.operations].sort()).toEqual([...operations].sort())
})

// JSON:API has no attribute named type: every document says its type.
test.each(cases)('%s has every attribute of the facts', (_type, definition) => {
  const absent = factsOf(definition)
    .attributes.filter((fact) => fact.hidden !== true && !isCompanion(fact) && fact.name !== 'type')
    .filter(({ name }) => !(name in definition.attributes))
    .map(({ name }) => name)
  expect(absent).toEqual([])
})

test.each(cases)('%s has no attribute the facts do not know', (type, definition) => {
  const known = factsOf(definition).attributes.map(({ name }) => name)
  const names = Object.entries(definition.attributes).flatMap(([name, { kind }]) =>
    kind === 'cents' ? [name, ...Object.values(companionsOf(name))] : [name],
  )
  const unknown = names.filter((name) => !known.includes(name) && !(name in commonAttributes))
  expect(unknown.filter((name) => !(`${type}.${name}` in ADDED))).toEqual([])
})

test.each(cases)(
  '%s: attributes are written, shown, filtered and sorted as the facts say',
  (type, definition) => {
    for (const fact of factsOf(definition).attributes) {
      const declared = definition.attributes[fact.name]
      if (declared === undefined || `${type}.${fact.name}` in DIFFERENT) continue
      if (declared.kind !== 'trigger')
        expect([fact.name, KINDS[fact.type]]).toEqual([fact.name, expect.arrayContaining([declared.kind])])
      expect([fact.name, describeAttribute(declared)]).toEqual([
        fact.name,
        expectedAttribute(fact, factsOf(definition), declared),
      ])
    }
  },
)

const describeRelationship = (declared: Relationship): unknown => ({
  card: declared.kind === 'toMany' ? 'many' : 'one',
  targets: declared.kind === 'polymorphicToOne' ? declared.targets : [declared.target],
  write: declared.write,
  required: declared.required,
  filter: declared.filter,
  sort: declared.sort,
  include: declared.include,
  prohibited: declared.prohibited,
})

test.each(cases)('%s has every relationship of the facts, and no other', (type, definition) => {
  const { relationships, filterable, sortable } = factsOf(definition)
  for (const fact of relationships) {
    const declared = definition.relationships[fact.name]
    const name = `${type}.${fact.name}`
    const isSortable = sortable.relationships.includes(fact.name) && !(name in DIFFERENT)
    expect(declared === undefined ? `${name} is missing` : [name, describeRelationship(declared)]).toEqual([
      name,
      {
        card: fact.card,
        targets: fact.abstract === undefined ? fact.target : [fact.abstract],
        write: name in DIFFERENT ? declared?.write : writeOf(fact),
        // What a condition governs is a rule's business.
        required: fact.create === 'required' && fact.cond === undefined,
        filter: filterable.relationships.includes(fact.name) || name in FOLLOWED,
        sort: isSortable,
        include: fact.include ?? true,
        prohibited: fact.no_sales_channel ?? false,
      },
    ])
  }
  const known = relationships.map(({ name }) => name)
  expect(Object.keys(definition.relationships).filter((name) => !known.includes(name))).toEqual([])
})

test.each(cases)('%s has its amounts in triples: cents, float and formatted', (_type, definition) => {
  const { attributes } = factsOf(definition)
  // An amount that no column stores has its companions as attributes of their own.
  const expected = attributes
    .filter(({ of, name }) => of !== undefined && !(name in definition.attributes))
    .map(({ name }) => name)
  const companions = Object.entries(definition.attributes).flatMap(([name, { kind }]) =>
    kind === 'cents' ? Object.values(companionsOf(name)) : [],
  )
  expect(companions).toEqual(expect.arrayContaining(expected))
})

test('everything that can be sent of an order is judged by exactly one of its rules', () => {
  const { attributes, relationships } = registry.require('orders')
  // An argument is judged with its trigger.
  const isArgument = (name: string): boolean => attributes[name]?.argumentOf !== undefined
  const sendable = Object.entries({ ...attributes, ...relationships })
    .filter(([name, { write }]) => (write === 'always' || write === 'update') && !isArgument(name))
    .map(([name]) => name)
  const commands = orderCommands.map(({ trigger }) => trigger)
  const judged = [...DESCRIPTIVE, ...Object.keys(CHANGEABLE_IN), ...LEFT_TO_WORKFLOWS, ...commands]
  expect(judged.toSorted()).toEqual(sendable.toSorted())
})

/** What holds when a client sends nothing, as far as the facts say it in so many words. */
const DEFAULTS = {
  'addresses.business': false,
  'customers.metadata': {},
  'inventory_models.manual_stock_decrement': false,
  'inventory_models.put_stock_transfers_on_hold': false,
  'inventory_models.stock_locations_cutoff': 2,
  'inventory_models.stock_reservation_cutoff': 3600,
  'inventory_models.strategy': 'no_split',
  'line_items._external_price': false,
  'manual_gateways.force_payments': false,
  'orders.autorefresh': true,
  'orders.freight_taxable': false,
  'orders.language_code': 'en',
  'orders.place_async': false,
  'payment_methods.auto_capture': false,
  'payment_methods.auto_place': false,
  'payment_methods.moto': false,
  'payment_methods.require_capture': true,
  'price_lists.tax_included': true,
  'stock_locations.label_format': 'PDF',
}

test.each(Object.entries(DEFAULTS))('%s is %j unless it is sent', (path, value) => {
  const [type = '', name = ''] = path.split('.')
  expect(registry.require(type).attributes[name]?.default).toEqual(value)
})
