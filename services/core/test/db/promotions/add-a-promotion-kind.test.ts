/** docs/how-to/add-a-promotion-kind.md, followed with the blocks of the page itself, in a copy of core's sources. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Area } from '../../../src/engine/area.ts'
import { migrationsFolder } from '../../../src/migrate.ts'
import {
  attributesOf,
  checkoutCalls,
  linkTo,
  orderCalls,
  statusesOf,
  WITH_SHIPPING,
} from '../../http/support/order-calls.ts'
import { ALWAYS, promotionCalls } from '../../http/support/promotion-calls.ts'
import { listOf, openCore } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

const TYPE = 'every_nth_free_promotions'
const page = readFileSync(
  new URL('../../../../../docs/how-to/add-a-promotion-kind.md', import.meta.url),
  'utf8',
)

/** The block of a language; the page has exactly one. */
const block = (language: string): string => {
  const found = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, name]) => name === language)
  if (found.length !== 1)
    throw new Error(`the page must have one block in ${language}, it has ${found.length}`)
  return found[0]?.[2] ?? ''
}

const folders: string[] = []

const folderIn = (parent: string): string => {
  const folder = mkdtempSync(path.join(parent, 'how-to-'))
  folders.push(folder)
  return folder
}

/** Step 2: one migration, after those that there are. */
const withMigration = (): string => {
  const folder = folderIn(tmpdir())
  cpSync(migrationsFolder, folder, { recursive: true })
  const name = path.join(folder, '29991231000000_every_nth_free')
  mkdirSync(name)
  writeFileSync(path.join(name, 'migration.sql'), block('sql'))
  return folder
}

/** Adds a text behind another one, which the file has once. */
const addBehind = (file: string, anchor: string, text: string): void => {
  const source = readFileSync(file, 'utf8')
  if (source.split(anchor).length !== 2) throw new Error(`${file} must have "${anchor}" once`)
  writeFileSync(file, source.replace(anchor, `${anchor}${text}`))
}

/** Steps 1, 3 and 4. */
const loadAreas = async (): Promise<readonly Area[]> => {
  const source = fileURLToPath(new URL('../../../src', import.meta.url))
  const copy = path.join(folderIn(import.meta.dirname), 'src')
  cpSync(source, copy, {
    recursive: true,
    filter: (file) => !file.endsWith('.test.ts') && !file.includes('generated'),
  })
  const at = (file: string): string => path.join(copy, file)
  addBehind(at('promotions/promotion-types.ts'), "\n  'external_promotions',", `\n  '${TYPE}',`)
  addBehind(at('orders/line-items.ts'), "\n  'external_promotions',", `\n  '${TYPE}',`)
  writeFileSync(at('promotions/types/every-nth-free.ts'), block('ts'))
  addBehind(at('promotions/types/kinds.ts'), '\n  external,', '\n  everyNthFree,')
  addBehind(
    at('promotions/types/kinds.ts'),
    "from './external.ts'",
    "\nimport { everyNthFree } from './every-nth-free.ts'",
  )
  const { areas } = (await import(pathToFileURL(at('areas.ts')).href)) as { readonly areas: readonly Area[] }
  return areas
}

let core: TestCore

beforeAll(async () => {
  core = await openCore('add_a_promotion_kind', { areas: await loadAreas() }, {}, withMigration())
  await core.pool.query(WITH_SHIPPING)
})
afterAll(async () => {
  await core.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const { add, orderOf } = orderCalls(() => core)
const { payable, send } = checkoutCalls(() => core)
const { make, send: create, discountsOf } = promotionCalls(() => core)

test('it is created, validated and listed among all promotions', async () => {
  const refused = await create(TYPE, { name: 'Third', ...ALWAYS, x: 1 })
  expect(refused.status).toBe(422)
  const id = await make(TYPE, { name: 'Second', ...ALWAYS, x: 2, _disable: true })
  const shown = attributesOf(await core.get(`/api/${TYPE}/${id}`, core.tokens.admin))
  expect(shown).toMatchObject({ x: 2, status: 'disabled', coupons_count: 0 })
  expect(Number(shown['weight'])).toBeGreaterThan(0)
  const all = listOf(await core.get('/api/promotions', core.tokens.admin)).data
  expect(all.map(({ type }) => type)).toContain(TYPE)
})

test('it takes something off orders, with rules and usage like every other kind', async () => {
  const promotion = await make(TYPE, { name: 'Second', ...ALWAYS, x: 2 })
  await make(
    'order_amount_promotion_rules',
    { order_amount_cents: 5000 },
    { promotion: linkTo(TYPE, promotion) },
  )
  const order = await payable('SKU-A', 1)
  expect(await discountsOf(order)).toEqual([])
  await add(core.tokens.admin, order, { sku_code: 'SKU-B', quantity: 1 })
  expect(await discountsOf(order)).toEqual([['Second', -4000]])
  expect(await orderOf(order)).toMatchObject({ discount_amount_cents: -4000 })
  expect(statusesOf(await send(order, '_place'))[0]).toBe('placed')
  const used = attributesOf(await core.get(`/api/promotions/${promotion}`, core.tokens.admin))
  expect(used).toMatchObject({ total_usage_count: 1 })
})
