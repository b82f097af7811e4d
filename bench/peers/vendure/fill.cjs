/**
 * Fills Vendure through its own services: its populator makes the shop, its fast importer the products, and the jobs
 * that these start the index of its search; this process works on them. What to fill is in PEERS_FILL; the ids that load needs are
 * written into the file PEERS_FACTS.
 */
const { writeFileSync } = require('node:fs')
const { setTimeout: wait } = require('node:timers/promises')
const core = require('@vendure/core')
const { configure } = require('./vendure-config.cjs')

/** As many as it has connections to PostgreSQL. */
const AT_ONCE = 10

const languageCode = core.LanguageCode.en

const SHOP = {
  defaultLanguage: languageCode,
  defaultZone: 'Europe',
  countries: [{ name: 'Italy', code: 'IT', zone: 'Europe' }],
  taxRates: [{ name: 'Zero Tax', percentage: 0 }],
  shippingMethods: [{ name: 'Express', price: 1200 }],
  paymentMethods: [
    {
      name: 'Bank transfer',
      handler: {
        code: core.dummyPaymentHandler.code,
        arguments: [{ name: 'automaticSettle', value: 'false' }],
      },
    },
  ],
  collections: [],
}

const fill = async () => {
  const { products, plenty, scarce } = JSON.parse(process.env.PEERS_FILL)
  const worker = await core.bootstrapWorker(configure({ synchronize: true }))
  const { app } = worker
  const channels = app.get(core.ChannelService)
  await channels.update(core.RequestContext.empty(), {
    id: (await channels.getDefaultChannel()).id,
    availableCurrencyCodes: ['EUR'],
    defaultCurrencyCode: 'EUR',
    pricesIncludeTax: true,
  })
  await app.get(core.Populator).populateInitialData(SHOP)
  const ctx = await app
    .get(core.RequestContextService)
    .create({ apiType: 'admin', channelOrToken: await channels.getDefaultChannel() })
  const {
    items: [tax],
  } = await app.get(core.TaxCategoryService).findAll(ctx)
  const importer = app.get(core.FastImporterService)
  await importer.initialize(ctx.channel)
  const items = []
  let next = 1
  const addSome = async () => {
    for (let n = next++; n <= products; n = next++)
      items[n - 1] = await addProduct(
        importer,
        tax.id,
        n,
        n > products - scarce.count ? scarce.stock : plenty,
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, addSome))
  await worker.startJobQueue()
  await untilIndexed(app)
  writeFileSync(process.env.PEERS_FACTS, JSON.stringify({ items }))
}

const addProduct = async (importer, taxCategoryId, n, stockOnHand) => {
  const name = `Article number ${n}`
  const description = `What article number ${n} is made of, and what for.`
  const product = await importer.createProduct({
    enabled: true,
    translations: [{ languageCode, name, slug: `article-${n}`, description }],
  })
  const variant = await importer.createProductVariant({
    productId: product,
    sku: `SKU-${n}`,
    price: 1000 + 100 * (n % 90),
    stockOnHand,
    trackInventory: 'TRUE',
    taxCategoryId,
    translations: [{ languageCode, name }],
  })
  return { product, variant }
}

/** Each product is put into the index of the search by a job of its own. */
const untilIndexed = async (app) => {
  const { jobQueueStrategy } = app.get(core.ConfigService).jobQueueOptions
  const count = async (filter) => (await jobQueueStrategy.findMany({ filter, take: 1 })).totalItems
  while ((await count({ isSettled: { eq: false } })) > 0) await wait(200)
  const failed = await count({ state: { eq: 'FAILED' } })
  if (failed > 0) throw new Error(`${failed} jobs of the search index failed`)
}

fill().then(
  () => process.exit(0),
  (error) => {
    console.error(error)
    process.exit(1)
  },
)
