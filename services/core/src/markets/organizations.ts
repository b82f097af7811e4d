import { computed, text } from '@merx/jsonapi/attributes'
import type { Attribute, Row } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { audited } from '../definitions/shared-relationships.ts'

/** What holds while an organization has not been given another value. */
export const SETTING_DEFAULTS = {
  support_phone: null,
  support_email: null,
  logo_url: null,
  favicon_url: null,
  primary_color: null,
  gtm_id: null,
  gtm_id_test: null,
  config: {},
  api_auth_redirect: true,
  api_rules_engine: false,
  api_rules_engine_max_conditions_size: 150,
  api_rules_engine_max_rules_size: 15,
  api_new_auth: true,
  api_purge_single_resource: false,
  api_max_regex_length: 5_000,
  addresses_avs_check: true,
  addresses_phone_required: true,
  orders_sales_channel_guest_only: true,
  orders_min_rebuild_shipments_lapse: 0,
  orders_min_refresh_lapse: 0,
  orders_autorefresh_cutoff_test: 50,
  orders_autorefresh_cutoff_live: 500,
  orders_number_editable_test: false,
  orders_number_editable_live: false,
  orders_number_as_reference: true,
  orders_invalid_coupon_errors: true,
  orders_invalid_gift_card_errors: true,
  orders_validate_shipping_stock: false,
  bundles_max_items_count: 10,
  coupons_min_code_length: 8,
  coupons_max_code_length: 40,
  gift_cards_exact_code_matching: false,
  gift_cards_min_code_length: 8,
  gift_cards_max_code_length: 40,
  cleanups_max_concurrent_count: 10,
  exports_max_concurrent_count: 10,
  imports_max_concurrent_count: 10,
  imports_purge_cache: true,
  imports_skip_errors: false,
  inventory_models_max_stock_locations_cutoff: 10,
  promotions_max_concurrent_count: 10,
  promotions_max_conditions_size: 150,
  promotions_max_rules_size: 15,
  price_lists_max_conditions_size: 150,
  price_lists_max_rules_size: 15,
  imports_trigger_webhooks: false,
  discount_engines_enabled: false,
  discount_engines_errors: false,
  tags_max_name_length: 25,
  tags_max_allowed_number: 10,
  tax_calculators_errors: false,
  external_promotions_errors: false,
  external_prices_errors: true,
} as const satisfies Record<string, unknown>

const settingsOf = (row: Row): Readonly<Record<string, unknown>> => {
  const settings = row['settings']
  return typeof settings === 'object' && settings !== null ? { ...settings } : {}
}

const setting = ([name, byDefault]: readonly [string, unknown]): [string, Attribute] => [
  name,
  computed((row) => settingsOf(row)[name] ?? byDefault, { columns: ['settings'] }),
]

/** The organization of the caller's token, with the settings of its environment. */
export const organizations = defineResource('organizations', {
  summary: "The organization of the caller's token.",
  model: 'environment',
  table: 'environments',
  path: 'organization',
  singleton: true,
  operations: ['retrieve'],
  scope: 'environment',
  attributes: {
    name: text(),
    slug: text(),
    domain: computed((row) => settingsOf(row)['domain'] ?? null, { columns: ['settings'] }),
    ...Object.fromEntries(Object.entries(SETTING_DEFAULTS).map(setting)),
  },
  relationships: {
    ...audited,
  },
})
