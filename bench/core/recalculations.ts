/** Orders of many lines in a shop that taxes and sends them, and what it costs to recalculate one in this process. */
import { giveAddress } from '@merx/core/load/checkout-requests'
import { addLine, createOrder, linkTo, sendAs } from '@merx/core/load/core-requests'
import { sellableSkus } from '@merx/core/load/fill-checkout'
import { encodeId } from '@merx/core/load/load-ids'
import { openRecalculation } from '@merx/core/load/recalculate'
import type { LoadedCore } from '@merx/core/load/start-core'
import { exchange } from '@merx/load/exchange'
import type { LoadRequest } from '@merx/load/exchange'
import type { Client } from 'undici'

export const SKUS = 1_000
export const RUNS = 5
export const TIMES = 60
const WARM_UP = 20

/** Market 1 taxes by address, and orders refresh themselves whatever the number of their lines. */
export const TAXES = `
  INSERT INTO tax_calculators (id, environment_id, type, name) VALUES (1, 1, 'manual_tax_calculators', 'VAT');
  INSERT INTO tax_rules (environment_id, name, tax_rate, country_code_regex, freight_taxable, manual_tax_calculator_id)
    SELECT 1, 'Rule ' || n, 0.2, CASE n WHEN 20 THEN '^IT$' ELSE '^FR$' END, true, 1 FROM generate_series(1, 20) AS n;
  UPDATE markets SET tax_calculator_id = 1, default_shipping_method_id = 1 WHERE environment_id = 1 AND id = 1;
  UPDATE environments SET settings = settings || '{"orders_autorefresh_cutoff_test": 1000}' WHERE id = 1`

export interface Answer {
  readonly data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
}

export const send = async (client: Client, request: LoadRequest): Promise<Answer> => {
  const { status, body = '' } = await exchange(client, request, true)
  if (status >= 300) throw new Error(`${request.method} ${request.path} answers ${status}: ${body}`)
  return JSON.parse(body) as Answer
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** An order of the market that is sent somewhere, with so many lines of different SKUs. */
export const fillCart = async (core: LoadedCore, client: Client, lines: number): Promise<string> => {
  const { adminToken } = core.target.facts
  const { id: order } = (await send(client, createOrder(adminToken, encodeId('markets', 1)))).data
  const { id: address } = (await send(client, giveAddress(adminToken))).data
  await send(
    client,
    change(adminToken, 'orders', order, {}, { shipping_address: linkTo('addresses', address) }),
  )
  for (const sku of sellableSkus(SKUS).slice(0, lines))
    await send(client, addLine(adminToken, order, encodeId('skus', sku), 2))
  await send(client, change(adminToken, 'orders', order, { _refresh: true }))
  return order
}

const change = (
  token: string,
  type: string,
  id: string,
  attributes: Readonly<Record<string, unknown>>,
  relationships: Readonly<Record<string, unknown>> = {},
): LoadRequest => sendAs(token, 'PATCH', `/api/${type}/${id}`, { type, id, attributes, relationships })

export interface Costs {
  readonly processorMs: number
  readonly wallMs: number
}

/** What one recalculation costs this process, and how long it takes: of each the median of the runs. */
export const measure = async (work: () => Promise<unknown>): Promise<Costs> => {
  for (let time = 0; time < WARM_UP; time += 1) await work()
  const runs: Costs[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage()
    const startedAt = performance.now()
    for (let time = 0; time < TIMES; time += 1) await work()
    const { user, system } = process.cpuUsage(before)
    const wallMs = (performance.now() - startedAt) / TIMES
    runs.push({ processorMs: (user + system) / 1000 / TIMES, wallMs })
  }
  return {
    processorMs: medianOf(runs.map(({ processorMs }) => processorMs)),
    wallMs: medianOf(runs.map(({ wallMs }) => wallMs)),
  }
}

export const measureSize = async (core: LoadedCore, client: Client, lines: number): Promise<Costs> =>
  measureOrder(core, await fillCart(core, client, lines))

export const measureOrder = async (core: LoadedCore, order: string): Promise<Costs> => {
  const recalculation = await openRecalculation(core.databaseUrl, order)
  try {
    return await measure(() => recalculation.run())
  } finally {
    await recalculation.close()
  }
}
