/** Answers of core as the worst of customers would have filled them: every text and all metadata are scripts. */
import type { Page } from 'playwright-core'
import { typeNames, recordType } from '../../services/console/page/src/records/types.ts'
import { SCRIPT } from './console.ts'

interface ResourceObject {
  readonly type: string
  attributes?: Record<string, unknown>
}

interface JsonApiDocument {
  readonly data?: ResourceObject | readonly ResourceObject[] | null
  readonly included?: readonly ResourceObject[]
}

const fill = (resource: ResourceObject): void => {
  if (!typeNames.includes(resource.type)) return
  const kinds = recordType(resource.type).attributes
  for (const [name, value] of Object.entries(resource.attributes ?? {}))
    if (name === 'metadata') resource.attributes = { ...resource.attributes, metadata: { [SCRIPT]: SCRIPT } }
    else if (kinds[name] === 'text' && typeof value === 'string')
      resource.attributes = { ...resource.attributes, [name]: `${value}${SCRIPT}` }
}

/** Between the gateway and the page, so that even what core would refuse to store is tried. */
export const fillTextsWithScripts = async (page: Page): Promise<void> => {
  await page.route(/\/api\/(?!.*stream)/, async (route) => {
    const response = await route.fetch()
    if (!response.ok() || !String(response.headers()['content-type']).includes('json'))
      return route.fulfill({ response })
    const document = (await response.json()) as JsonApiDocument
    for (const resource of [document.data ?? [], document.included ?? []].flat()) fill(resource)
    return route.fulfill({ response, json: document })
  })
}
