import type { Action } from '@merx/jsonapi/rules'

/** Triggers here do more than change columns: what they start is among the acts of the resource (acts/). */
export const performedByItsAct: Action = () => ({})
