/** Accounts at tax services, as one table of kinds: their credentials are sealed, and nothing calls the services. */
import { boolean, computed, instant, oneOf, text, trigger } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, credential, name } from '../definitions/shapes.ts'
import { attachableAsFamily, observed, versioned } from '../definitions/shared-relationships.ts'
import { notCalled, refusedCommand } from '../outside/not-called.ts'

interface Kind {
  readonly title: string
  readonly attributes: Readonly<Record<string, Attribute>>
  readonly rules?: readonly Rule[]
  /** Whether SKUs have codes at the service, and whether filters follow them. */
  readonly categories: 'filtered' | 'listed' | 'none'
}

const identifier = (): Attribute => text({ write: 'always', required: true, max: 255 })

const commitInvoice = (): Attribute => boolean({ write: 'always' })

/** Vertex's own cloud has one address; any other is the shop's to name. */
const addressUnlessCloud: Rule = ({ after }) => {
  const { kind = null, baseurl = null } = after
  if (kind === null || kind === 'cloud' || (typeof baseurl === 'string' && baseurl.trim() !== '')) return {}
  const message = `can't be blank while kind is not cloud`
  return { violations: [{ at: { attribute: 'baseurl' }, error: 'blank', message }] }
}

const KINDS: Readonly<Record<string, Kind>> = {
  avalara_accounts: {
    title: 'Avalara',
    attributes: {
      username: identifier(),
      password: credential(),
      company_code: identifier(),
      commit_invoice: commitInvoice(),
      ddp: boolean({ write: 'always' }),
    },
    categories: 'filtered',
  },
  stripe_tax_accounts: {
    title: 'Stripe Tax',
    attributes: { api_key: credential(), commit_invoice: commitInvoice() },
    categories: 'listed',
  },
  taxjar_accounts: {
    title: 'TaxJar',
    attributes: { api_key: credential() },
    categories: 'listed',
  },
  vertex_accounts: {
    title: 'Vertex',
    attributes: {
      kind: oneOf(['cloud', 'on_demand', 'on_premise'], { write: 'always', default: 'cloud' }),
      baseurl: text({ write: 'always', max: 255 }),
      client_id: credential(),
      client_secret: credential(),
      // What only a reply of the vendor would say.
      api_endpoint: computed(() => null),
      commit_invoice: commitInvoice(),
      _refresh_token: trigger({ isCommand: true }),
      token_expires_at: instant(),
    },
    rules: [addressUnlessCloud],
    categories: 'none',
  },
}

export const TAX_VENDOR_TYPES = Object.keys(KINDS)

const INSTEAD = 'external_tax_calculators, which call a service of your own, or manual_tax_calculators'

/** Why the tax service cannot tax anything. */
export const taxesNotCalled = (type: string, at: NonNullable<WriteViolation['at']>): WriteViolation =>
  notCalled(type, at, INSTEAD)

export const vendorTaxCommands = {
  vertex_accounts: [refusedCommand('vertex_accounts', '_refresh_token', INSTEAD)],
}

const categoriesOf = (categories: Kind['categories']) =>
  categories === 'none'
    ? {}
    : {
        tax_categories: toMany('tax_categories', {
          inverse: 'tax_calculator',
          include: true,
          filter: categories === 'filtered',
        }),
      }

export const vendorTaxAccounts: readonly ResourceDefinition[] = Object.entries(KINDS).map(
  ([type, { title, attributes, rules = [], categories }]) =>
    defineResource(type, {
      summary: `The account of the shop at ${title}, which Merx stores and does not call.`,
      model: 'taxCalculator',
      operations: ALL_OPERATIONS,
      scope: 'environment',
      memberOf: 'tax_calculators',
      attributes: { name: name(), ...attributes },
      relationships: {
        markets: toMany('markets', { inverse: 'tax_calculator', include: true }),
        ...attachableAsFamily,
        ...observed,
        ...versioned,
        ...categoriesOf(categories),
      },
      rules,
      onDelete: refuseWhileReferencedBy('markets'),
    }),
)
