/** The requests of the load tests of core. */
import type { LoadRequest } from '@merx/load/exchange'

const MEDIA_TYPE = 'application/vnd.api+json'

/** `query` is written plainly and encoded here. */
export const getAs = (
  token: string,
  path: string,
  query: Readonly<Record<string, string>> = {},
): LoadRequest => {
  const search = new URLSearchParams(query).toString()
  return {
    method: 'GET',
    path: search === '' ? path : `${path}?${search}`,
    headers: { accept: MEDIA_TYPE, authorization: `Bearer ${token}` },
  }
}

/** The largest there is. */
export const PAGE_SIZE = 25

/** A page of a list. */
export const listPage = (
  type: string,
  token: string,
  number: number,
  query: Readonly<Record<string, string>> = {},
): LoadRequest =>
  getAs(token, `/api/${type}`, {
    ...query,
    'page[size]': String(PAGE_SIZE),
    ...(number === 1 ? {} : { 'page[number]': String(number) }),
  })

/** A page of SKUs. */
export const skusPage = (
  token: string,
  number: number,
  query: Readonly<Record<string, string>> = {},
): LoadRequest => listPage('skus', token, number, query)

export const sendAs = (
  token: string,
  method: 'POST' | 'PATCH',
  path: string,
  data: unknown,
): LoadRequest => ({
  method,
  path,
  headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, authorization: `Bearer ${token}` },
  body: JSON.stringify({ data }),
})

export const linkTo = (type: string, id: string) => ({ data: { type, id } })

/** Creates a SKU; the code must be a new one. */
export const createSku = (token: string, code: string, shippingCategory: string): LoadRequest =>
  sendAs(token, 'POST', '/api/skus', {
    type: 'skus',
    attributes: {
      code,
      name: `Article ${code}`,
      description: 'Made of wool.',
      metadata: { season: 'winter' },
    },
    relationships: { shipping_category: linkTo('shipping_categories', shippingCategory) },
  })

export const changeSku = (
  token: string,
  id: string,
  attributes: Readonly<Record<string, unknown>>,
): LoadRequest => sendAs(token, 'PATCH', `/api/skus/${id}`, { type: 'skus', id, attributes })

/** The address must be a new one. */
export const createCustomer = (token: string, email: string): LoadRequest =>
  sendAs(token, 'POST', '/api/customers', { type: 'customers', attributes: { email } })

export const createOrder = (token: string, market: string): LoadRequest =>
  sendAs(token, 'POST', '/api/orders', {
    type: 'orders',
    attributes: { guest: true },
    relationships: { market: linkTo('markets', market) },
  })

export const addLine = (token: string, order: string, sku: string, quantity: number): LoadRequest =>
  sendAs(token, 'POST', '/api/line_items', {
    type: 'line_items',
    attributes: { quantity },
    relationships: { order: linkTo('orders', order), item: linkTo('skus', sku) },
  })

/** An import of SKUs, 10,000 at most. */
export const importSkus = (token: string, inputs: readonly unknown[]): LoadRequest =>
  sendAs(token, 'POST', '/api/imports', {
    type: 'imports',
    attributes: { resource_type: 'skus', inputs },
  })

export const exportSkus = (token: string, includes: readonly string[]): LoadRequest =>
  sendAs(token, 'POST', '/api/exports', {
    type: 'exports',
    attributes: { resource_type: 'skus', includes },
  })
