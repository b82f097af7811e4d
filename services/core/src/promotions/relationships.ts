/** What leads from promotions to their rules and coupons, where no column of the row says so. */
import type { VirtualRelationship } from '../engine/area.ts'

/** `promotions.<type>_promotion_rule`; that it is of the type is a condition of the target. */
export const ruleOfPromotion: VirtualRelationship = ({ owner, target }) => [
  `${target}.promotion_id = ${owner}.id`,
]

/** `promotions.coupons` */
export const couponsOfPromotion: VirtualRelationship = ({ owner, target }, { params }) => [
  `EXISTS (SELECT 1 FROM promotion_rules AS its_rule WHERE its_rule.environment_id = ${params.environment}
    AND its_rule.id = ${target}.promotion_rule_id AND its_rule.promotion_id = ${owner}.id)`,
]
