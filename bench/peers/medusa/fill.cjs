/**
 * Fills Medusa through its own workflows, as the seed of its starter does: `medusa exec ./fill.js`. What to fill is in
 * PEERS_FILL; the ids that load needs are written into the file PEERS_FACTS.
 */
const { writeFileSync } = require('node:fs')
const { ContainerRegistrationKeys, Modules, ProductStatus } = require('@medusajs/framework/utils')
const flows = require('@medusajs/medusa/core-flows')

const BATCH = 100
const RULES = [
  { attribute: 'enabled_in_store', value: 'true', operator: 'eq' },
  { attribute: 'is_return', value: 'false', operator: 'eq' },
]

exports.default = async ({ container }) => {
  const { products, plenty, scarce } = JSON.parse(process.env.PEERS_FILL)
  const run = async (workflow, input) => (await workflow(container).run({ input })).result
  const shop = await openShop(container, run)
  const variants = []
  for (let first = 1; first <= products; first += BATCH)
    variants.push(...(await addProducts(first, Math.min(products, first + BATCH - 1))))

  async function addProducts(first, last) {
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at)
    const made = await run(flows.createProductsWorkflow, {
      products: numbers.map((n) => ({
        title: `Article number ${n}`,
        description: `What article number ${n} is made of, and what for.`,
        handle: `article-${n}`,
        thumbnail: `https://images.example.com/${n}.png`,
        status: ProductStatus.PUBLISHED,
        shipping_profile_id: shop.profile,
        options: [{ title: 'Kind', values: ['One'] }],
        variants: [
          {
            title: 'One',
            sku: `SKU-${n}`,
            options: { Kind: 'One' },
            manage_inventory: true,
            prices: [{ amount: 10 + (n % 90), currency_code: 'eur' }],
          },
        ],
        sales_channels: [{ id: shop.channel }],
      })),
    })
    const ids = made.map(({ variants: [variant] }) => variant.id)
    const query = container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: 'product_variant',
      fields: ['id', 'sku', 'product_id', 'inventory_items.inventory_item_id'],
      filters: { id: ids },
    })
    const rows = data.map((variant) => ({ ...variant, number: Number(variant.sku.slice('SKU-'.length)) }))
    await run(flows.createInventoryLevelsWorkflow, {
      inventory_levels: rows.map(({ number, inventory_items: [item] }) => ({
        location_id: shop.location,
        inventory_item_id: item.inventory_item_id,
        stocked_quantity: number > products - scarce.count ? scarce.stock : plenty,
      })),
    })
    return rows
      .sort((a, b) => a.number - b.number)
      .map(({ id, product_id }) => ({ product: product_id, variant: id }))
  }

  const { token, region, shipping } = shop
  writeFileSync(process.env.PEERS_FACTS, JSON.stringify({ token, region, shipping, items: variants }))
}

/** Region, tax, stock location, shipping option and key of a shop in Italy, paid by hand. */
async function openShop(container, run) {
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const fulfillment = container.resolve(Modules.FULFILLMENT)
  const [store] = await container.resolve(Modules.STORE).listStores()
  const [channel] = await run(flows.createSalesChannelsWorkflow, {
    salesChannelsData: [{ name: 'Storefront' }],
  })
  await run(flows.updateStoresWorkflow, {
    selector: { id: store.id },
    update: {
      supported_currencies: [{ currency_code: 'eur', is_default: true }],
      default_sales_channel_id: channel.id,
    },
  })
  const [region] = await run(flows.createRegionsWorkflow, {
    regions: [
      { name: 'Italy', currency_code: 'eur', countries: ['it'], payment_providers: ['pp_system_default'] },
    ],
  })
  await run(flows.createTaxRegionsWorkflow, [{ country_code: 'it', provider_id: 'tp_system' }])
  const [location] = await run(flows.createStockLocationsWorkflow, {
    locations: [
      { name: 'Warehouse', address: { city: 'Torino', country_code: 'IT', address_1: 'Via Roma 1' } },
    ],
  })
  const [profile] = await run(flows.createShippingProfilesWorkflow, {
    data: [{ name: 'Goods', type: 'default' }],
  })
  const set = await fulfillment.createFulfillmentSets({
    name: 'Warehouse delivery',
    type: 'shipping',
    service_zones: [{ name: 'Italy', geo_zones: [{ country_code: 'it', type: 'country' }] }],
  })
  const at = { [Modules.STOCK_LOCATION]: { stock_location_id: location.id } }
  await link.create({ ...at, [Modules.FULFILLMENT]: { fulfillment_provider_id: 'manual_manual' } })
  await link.create({ ...at, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } })
  const [shipping] = await run(flows.createShippingOptionsWorkflow, [
    {
      name: 'Express',
      price_type: 'flat',
      provider_id: 'manual_manual',
      service_zone_id: set.service_zones[0].id,
      shipping_profile_id: profile.id,
      type: { label: 'Express', description: 'In 24 hours.', code: 'express' },
      prices: [{ currency_code: 'eur', amount: 12 }],
      rules: RULES,
    },
  ])
  await run(flows.linkSalesChannelsToStockLocationWorkflow, { id: location.id, add: [channel.id] })
  const [key] = await run(flows.createApiKeysWorkflow, {
    api_keys: [{ title: 'Storefront', type: 'publishable', created_by: '' }],
  })
  await run(flows.linkSalesChannelsToApiKeyWorkflow, { id: key.id, add: [channel.id] })
  return {
    token: key.token,
    region: region.id,
    shipping: shipping.id,
    location: location.id,
    profile: profile.id,
    channel: channel.id,
  }
}
