/** Which documents of rules a price is under: those of its list, then its own; none while the setting `api_rules_engine` is off. */

/** As JSON, for a row of prices; `price` is its alias, the environment is $1. */
export const rulesInForce = (price: string): string => `coalesce((
  SELECT jsonb_path_query_array(jsonb_build_array(lists.rules, ${price}.rules), '$[*] ? (@.rules.size() > 0)')
  FROM environments JOIN price_lists AS lists ON lists.environment_id = $1 AND lists.id = ${price}.price_list_id
  WHERE environments.id = $1 AND environments.settings -> 'api_rules_engine' = 'true'), '[]')`
