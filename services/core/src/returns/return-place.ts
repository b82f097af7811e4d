/** Where a return goes: a return location of its market, the first unless another one is sent, and the address of it. */
import type { RowOf } from '../engine/database/rows.ts'
import type { WorkflowStep } from '../engine/write/write-workflow.ts'

export type ReturnPlace = {
  readonly location: number
  readonly address: number
}

/** In the order of their priorities. */
export const placesOf = (
  { market_id: market }: Pick<RowOf<'Order'>, 'market_id'>,
  { run, scope }: Pick<WorkflowStep, 'run' | 'scope'>,
): Promise<readonly ReturnPlace[]> =>
  run<ReturnPlace>({
    text: `SELECT locations.id AS location, locations.address_id AS address FROM markets
      JOIN inventory_return_locations AS places
        ON places.environment_id = $1 AND places.inventory_model_id = markets.inventory_model_id
      JOIN stock_locations AS locations ON locations.environment_id = $1 AND locations.id = places.stock_location_id
      WHERE markets.environment_id = $1 AND markets.id = $2 ORDER BY places.priority, places.id`,
    values: [scope.environmentId, market],
  })

export const placeColumns = (place: ReturnPlace | undefined) => ({
  stock_location_id: place?.location ?? null,
  destination_address_id: place?.address ?? null,
})
