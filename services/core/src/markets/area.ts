import type { Area, VirtualRelationship } from '../engine/area.ts'
import { applications } from './applications.ts'
import { markets as marketsResource } from './markets.ts'
import { merchants } from './merchants.ts'
import { organizations } from './organizations.ts'
import { stores } from './stores.ts'
import { marketVisibility, storeVisibility } from './visibility.ts'

/** The markets that the token is for; the owner row does not matter. */
const marketsOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const numbers = (scope.markets ?? []).map(({ id }) => id)
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

export const markets: Area = {
  resources: [marketsResource, stores, merchants, organizations, applications],
  visibility: { markets: marketVisibility, stores: storeVisibility },
  virtualRelationships: { markets_of_token: marketsOfToken },
  cacheable: ['markets'],
}
