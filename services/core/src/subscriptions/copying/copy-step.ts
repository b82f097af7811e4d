/**
 * A step of a copy whose order exists. Each that changes something is committed before the next one: services outside, such as a
 * gateway or a tax calculator, are asked about what is stored.
 */
import type { RowOf } from '../../engine/database/rows.ts'
import type { Copying } from './copy-errors.ts'

/** `refused` with the reason in `errors`; `nothing` when it was done before, or is not asked for. */
export type StepOutcome = 'changed' | 'refused' | 'nothing'

export type CopyStep = (target: RowOf<'Order'>, copying: Copying) => Promise<StepOutcome>
