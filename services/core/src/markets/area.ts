import { ofToken } from '../access/of-token.ts'
import type { Area, VirtualRelationship } from '../engine/area.ts'
import { applications } from './applications.ts'
import { geocoders } from './geocoders.ts'
import { linkWorkflow } from './link-workflow.ts'
import { links } from './links.ts'
import { marketWorkflow } from './market-workflow.ts'
import { markets as marketsResource } from './markets.ts'
import { merchants } from './merchants.ts'
import { organizations } from './organizations.ts'
import { priceListSchedulerWorkflow } from './price-list-scheduler-workflow.ts'
import { priceListSchedulers } from './price-list-schedulers.ts'
import { stores } from './stores.ts'
import { validationRules } from './validation-rules.ts'
import { marketVisibility, ofMarketVisibility, storeVisibility } from './visibility.ts'

/** The markets that the token is for; the owner row does not matter. */
const marketsOfToken: VirtualRelationship = ({ target }, { params, scope }) => {
  const numbers = ofToken(scope).jwt_markets
  return [`${target}.id = ANY(${params.add(numbers, 'bigint[]')})`]
}

export const markets: Area = {
  resources: [
    marketsResource,
    priceListSchedulers,
    stores,
    merchants,
    organizations,
    applications,
    ...geocoders,
    links,
    ...validationRules,
  ],
  visibility: {
    markets: marketVisibility,
    stores: storeVisibility,
    price_list_schedulers: ofMarketVisibility,
    order_validation_rules: ofMarketVisibility,
    billing_info_validation_rules: ofMarketVisibility,
  },
  workflows: {
    links: linkWorkflow,
    markets: marketWorkflow,
    price_list_schedulers: priceListSchedulerWorkflow,
  },
  topics: { price_list_schedulers: ['activated', 'expired'] },
  parents: { links: { type: 'item_type', number: 'item_id' } },
  virtualRelationships: { markets_of_token: marketsOfToken },
  cacheable: ['markets'],
}
