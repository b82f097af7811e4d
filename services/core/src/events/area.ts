import type { Area } from '../engine/area.ts'
import { events as eventsResource } from './events.ts'

export const events: Area = {
  resources: [eventsResource],
  parents: { events: { type: 'resource_type', number: 'record_id', isLog: true } },
}
