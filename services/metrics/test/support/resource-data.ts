/** The catalogue as data, for tests that read it themselves. */
import { readFileSync } from 'node:fs'
import { RESOURCES, type ResourceData } from '../../src/catalogue/load-catalogue.ts'

export type ResourceName = (typeof RESOURCES)[number]

const read = (name: ResourceName): ResourceData =>
  JSON.parse(
    readFileSync(new URL(`../../src/catalogue/${name}.json`, import.meta.url), 'utf8'),
  ) as ResourceData

export const resourceData: Readonly<Record<ResourceName, ResourceData>> = {
  orders: read('orders'),
  carts: read('carts'),
  returns: read('returns'),
}
