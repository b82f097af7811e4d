/** What load asks of core. */
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

/** A page of 25 SKUs. */
export const skusPage = (
  token: string,
  number: number,
  query: Readonly<Record<string, string>> = {},
): LoadRequest =>
  getAs(token, '/api/skus', {
    ...query,
    'page[size]': '25',
    ...(number === 1 ? {} : { 'page[number]': String(number) }),
  })

/** Creates a SKU; the code must be a new one. */
export const createSku = (token: string, code: string, shippingCategory: string): LoadRequest => ({
  method: 'POST',
  path: '/api/skus',
  headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, authorization: `Bearer ${token}` },
  body: JSON.stringify({
    data: {
      type: 'skus',
      attributes: {
        code,
        name: `Article ${code}`,
        description: 'Made of wool.',
        metadata: { season: 'winter' },
      },
      relationships: { shipping_category: { data: { type: 'shipping_categories', id: shippingCategory } } },
    },
  }),
})
