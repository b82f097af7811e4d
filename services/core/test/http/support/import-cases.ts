/** A good and a faulty item of every type that can be imported. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'

export type Item = Readonly<Record<string, unknown>>

export interface ImportCase {
  /** Its number; the type is that of the relationship which `parent_resource_id` sets. */
  readonly parent?: readonly [type: string, number: number]
  readonly good: Item
  readonly faulty: Item
  readonly errors: Item
}

const blank = ["can't be blank"]
const missing = ["doesn't exist"]
const id = encodeId

const PRICE_RULES = {
  rules: [
    {
      name: 'weekend',
      conditions: [{ field: 'price.amount_cents', matcher: 'gt', value: 1000 }],
      actions: [{ type: 'percentage', selector: 'price', value: 0.1 }],
    },
  ],
}

export const IMPORT_CASES: Readonly<Record<string, ImportCase>> = {
  addresses: {
    good: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      line_1: 'Via Roma 1',
      city: 'Torino',
      zip_code: '00123',
      country_code: 'IT',
      phone: '+39 1',
      lat: 45.07,
      business: false,
      company: '=Lovelace & Söhne, "Torino"',
      line_2: '2nd floor',
      state_code: 'TO',
      email: 'ada@example.com',
      notes: 'Ring twice,\nthen wait.',
      lng: -7.6,
      billing_info: 'IT123',
      geocoder_id: id('geocoders', 1),
    },
    faulty: { first_name: 'Ada', last_name: 'L', line_1: 'x', country_code: 'IT', phone: '1' },
    errors: { city: blank },
  },
  bundles: {
    parent: ['markets', 1],
    good: {
      code: 'SET',
      name: 'Set',
      sku_list_id: id('sku_lists', 2),
      price_amount_cents: 9000,
      compare_at_amount_cents: 9900,
      currency_code: 'EUR',
      description: 'Two shirts',
      image_url: 'https://img.example.com/set.png',
    },
    faulty: { code: 'OTHER', name: 'Set', sku_list_id: id('sku_lists', 1), price_amount_cents: 100 },
    errors: { sku_list: ['must have items'] },
  },
  coupons: {
    parent: ['promotion_rules', 1],
    good: {
      code: 'SUMMER26',
      usage_limit: 1,
      customer_single_use: true,
      recipient_email: 'ada@example.com',
      coupon_recipient_id: id('coupon_recipients', 1),
      expires_at: '2026-12-01T00:00:00.000Z',
    },
    faulty: { code: 'SHORT' },
    errors: { code: ['is too short: 8 to 40 characters are allowed, it has 5'] },
  },
  customer_addresses: {
    parent: ['customers', 1],
    good: { address_id: id('addresses', 2), customer_email: 'ada@example.com' },
    faulty: {},
    errors: { address: blank },
  },
  customer_payment_sources: {
    parent: ['customers', 1],
    good: {
      payment_method_id: id('payment_methods', 1),
      customer_token: 'cus_1',
      payment_source_token: 'pm_1',
    },
    faulty: { payment_source_token: '4242424242424242' },
    errors: {
      payment_source_token: ['is the number of a card; send the token that the gateway gave for it'],
    },
  },
  customer_subscriptions: {
    good: { customer_email: 'ada@example.com' },
    faulty: {},
    errors: { customer_email: blank },
  },
  customers: {
    good: {
      email: 'new@example.com',
      customer_group_id: id('customer_groups', 1),
      shopper_reference: 'S-1',
      profile_id: 'P-1',
      tax_exemption_code: 'T-1',
    },
    faulty: { email: 'nobody' },
    errors: { email: ['is invalid'] },
  },
  gift_cards: {
    parent: ['markets', 1],
    good: {
      status: 'inactive',
      code: 'GIFT-001',
      currency_code: 'EUR',
      balance_cents: 2000,
      balance_max_cents: 5000,
      single_use: true,
      rechargeable: false,
      distribute_discount: false,
      image_url: 'https://img.example.com/gift.png',
      expires_at: '2027-12-01T00:00:00.000Z',
      recipient_email: 'ada@example.com',
      gift_card_recipient_id: id('gift_card_recipients', 1),
    },
    faulty: { code: 'SHORT', balance_cents: 2000 },
    errors: { code: ['is too short: 8 to 40 characters are allowed, it has 5'] },
  },
  line_item_options: {
    parent: ['line_items', 1],
    good: {
      sku_option_id: id('sku_options', 1),
      name: 'A card',
      quantity: 2,
      unit_amount_cents: 300,
      options: { text: 'for you' },
    },
    faulty: { sku_option_id: id('sku_options', 1), quantity: 0, options: { text: 'x' } },
    errors: { quantity: ['must be greater than or equal to 1'] },
  },
  line_items: {
    parent: ['orders', 1],
    good: {
      sku_code: 'SKU-B',
      item_type: 'skus',
      item_id: id('skus', 2),
      quantity: 2,
      unit_amount_cents: 1234,
      compare_at_amount_cents: 1500,
      _external_price: false,
      name: 'A shirt of white',
      image_url: 'https://img.example.com/white.png',
      frequency: 'monthly',
    },
    faulty: { sku_code: 'SKU-B' },
    errors: { quantity: blank },
  },
  orders: {
    parent: ['markets', 1],
    good: {
      number: 'N-1',
      customer_id: id('customers', 1),
      customer_email: 'ada@example.com',
      language_code: 'it',
      affiliate_code: 'A-1',
      autorefresh: false,
      place_async: true,
      guest: false,
      status: 'approved',
      payment_status: 'paid',
      fulfillment_status: 'fulfilled',
      freight_taxable: true,
      payment_method_taxable: false,
      adjustment_taxable: true,
      gift_card_taxable: true,
      shipping_country_code_lock: 'IT',
      coupon_code: 'SPRING26',
      gift_card_code: 'GIFT-OLD',
      cart_url: 'https://shop.example.com/cart',
      return_url: 'https://shop.example.com/return',
      terms_url: 'https://shop.example.com/terms',
      privacy_url: 'https://shop.example.com/privacy',
      placed_at: '2026-01-01T10:00:00.000Z',
      approved_at: '2026-01-01T11:00:00.000Z',
      payment_updated_at: '2026-01-01T12:00:00.000Z',
      fulfillment_updated_at: '2026-01-01T13:00:00.000Z',
      expires_at: '2027-01-01T00:00:00.000Z',
      expiration_info: { why: 'slow' },
      shipping_address_id: id('addresses', 1),
      billing_address_id: id('addresses', 2),
      store_id: id('stores', 1),
      payment_method_id: id('payment_methods', 1),
    },
    faulty: { number: 'N-2', language_code: 'Italian' },
    errors: { language_code: ['is invalid'] },
  },
  price_frequency_tiers: {
    parent: ['prices', 1],
    good: { name: 'week', up_to: 7, price_amount_cents: 4500 },
    faulty: { name: 'week', up_to: 7 },
    errors: { price_amount_cents: blank },
  },
  price_volume_tiers: {
    parent: ['prices', 1],
    good: { name: 'ten', up_to: 10, price_amount_cents: 4500 },
    faulty: { name: 'ten', up_to: 0, price_amount_cents: 4500 },
    errors: { up_to: ['must be greater than or equal to 1'] },
  },
  prices: {
    parent: ['price_lists', 1],
    good: {
      sku_code: 'SKU-E',
      sku_id: id('skus', 5),
      amount_cents: 1200,
      compare_at_amount_cents: 1500,
      rules: PRICE_RULES,
    },
    faulty: { sku_code: 'SKU-F', amount_cents: -1 },
    errors: { amount_cents: ['must be greater than or equal to 0'] },
  },
  shipping_categories: {
    good: { name: 'Light', code: 'light' },
    faulty: { code: 'x' },
    errors: { name: blank },
  },
  sku_list_items: {
    parent: ['sku_lists', 1],
    good: { sku_code: 'SKU-A', sku_id: id('skus', 1), quantity: 3, position: 2 },
    faulty: { sku_code: 'NONE' },
    errors: { sku_code: ['must be the code of an existing SKU'] },
  },
  sku_lists: {
    good: {
      name: 'Shirts',
      description: 'All of them',
      image_url: 'https://img.example.com/shirts.png',
      manual: false,
      sku_code_regex: '^SKU-[AB]$',
      customer_id: id('customers', 1),
    },
    faulty: { name: 'Broken', manual: false, sku_code_regex: '(' },
    errors: {
      sku_code_regex: [
        'must be a regular expression of RE2 syntax (error parsing regexp: missing closing ): `(`)',
      ],
    },
  },
  sku_options: {
    parent: ['markets', 1],
    good: {
      name: 'Wrapping',
      currency_code: 'EUR',
      description: 'In paper',
      price_amount_cents: 250,
      delay_hours: 24,
      sku_code_regex: '^SKU',
    },
    faulty: { price_amount_cents: 250 },
    errors: { name: blank },
  },
  skus: {
    parent: ['shipping_categories', 1],
    good: {
      code: 'NEW',
      name: 'New',
      weight: 0.25,
      unit_of_weight: 'gr',
      description: '-50 % wool',
      image_url: 'https://img.example.com/new.png',
      pieces_per_pack: 3,
      hs_tariff_number: '4901',
      do_not_ship: true,
      do_not_track: true,
    },
    faulty: { code: 'NEWER', name: 'Newer', weight: 'heavy' },
    errors: { weight: ['is not a number'] },
  },
  stock_items: {
    parent: ['stock_locations', 2],
    good: { sku_code: 'SKU-C', sku_id: id('skus', 3), quantity: 5 },
    faulty: { sku_code: 'SKU-D', quantity: -1 },
    errors: { quantity: ['must be greater than or equal to 0'] },
  },
  stock_transfers: {
    good: {
      number: 'T-1',
      sku_code: 'SKU-B',
      sku_id: id('skus', 2),
      quantity: 1,
      origin_stock_location_id: id('stock_locations', 2),
      destination_stock_location_id: id('stock_locations', 3),
    },
    faulty: {
      number: 'T-2',
      sku_code: 'SKU-B',
      quantity: 1,
      origin_stock_location_id: id('stock_locations', 2),
      'destination_stock_location.code': 'nowhere',
    },
    errors: { 'destination_stock_location.code': missing },
  },
  tags: { good: { name: 'summer' }, faulty: { name: 'no blanks allowed' }, errors: { name: ['is invalid'] } },
  tax_categories: {
    parent: ['tax_calculators', 1],
    good: { code: 'PC040100', sku_code: 'SKU-A', sku_id: id('skus', 1) },
    faulty: { sku_code: 'SKU-B' },
    errors: { code: blank },
  },
}

/** What the items refer to, and the shops of seedShop have not. */
export const MORE_OF_SHOP = `
  INSERT INTO geocoders (id, environment_id, type, name) VALUES (#1, $env, 'google_geocoders', 'Maps');
  INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (#1, $env, 'manual_tax_calculators', 'VAT');
  INSERT INTO promotions (id, environment_id, type, name, starts_at, expires_at)
    VALUES (#1, $env, 'free_shipping_promotions', 'Free shipping', '2026-01-01', '2027-01-01');
  INSERT INTO promotion_rules (id, environment_id, type, promotion_id)
    VALUES (#1, $env, 'coupon_codes_promotion_rules', #1);
  INSERT INTO coupon_recipients (id, environment_id, email) VALUES (#1, $env, 'ada@example.com');
  INSERT INTO coupons (id, environment_id, code, promotion_rule_id) VALUES (#1, $env, 'SPRING26', #1);
  INSERT INTO gift_card_recipients (id, environment_id, email) VALUES (#1, $env, 'ada@example.com');
  INSERT INTO gift_cards (id, environment_id, status, code, currency_code, initial_balance_cents, balance_cents)
    VALUES (#1, $env, 'active', 'GIFT-OLD', 'EUR', 1000, 1000);
  INSERT INTO sku_lists (id, environment_id, name, slug) VALUES (#1, $env, 'Hats', 'hats'), (#2, $env, 'Set', 'set');
  INSERT INTO sku_list_items (id, environment_id, sku_list_id, sku_id, sku_code, quantity)
    VALUES (#1, $env, #2, #1, 'SKU-A', 2);
  INSERT INTO sku_options (id, environment_id, name, currency_code, price_amount_cents, sku_code_regex)
    VALUES (#1, $env, 'Card', 'EUR', 250, '.*')`
