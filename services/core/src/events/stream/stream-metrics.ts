/** Metrics of event streams: how many are open, what they sent, why they ended. */
import { instrumentsOf, observe } from '@merx/telemetry/metrics'

/** `closed`: by the client. */
const END_REASONS = ['closed', 'token', 'slow', 'stopping', 'failed'] as const
export type EndReason = (typeof END_REASONS)[number]

const instruments = instrumentsOf('core', (meter) => ({
  sent: meter.createCounter('merx_core_event_stream_messages', {
    description: 'Events sent to listeners of /api/events/stream.',
  }),
  ended: meter.createCounter('merx_core_event_streams_ended', {
    description:
      'Event streams that ended, by reason: closed by the client, its token is no longer valid or may not read events any more, it read too slowly, the process stops, an error.',
  }),
}))

export const countSent = (events: number): void => instruments().sent.add(events)

export const countEnded = (reason: EndReason): void => instruments().ended.add(1, { reason })

/** @returns ends it */
export const observeStreams = (countOpen: () => number): (() => void) => {
  // A counter is exposed from its first value on; rates begin at 0.
  instruments().sent.add(0)
  for (const reason of END_REASONS) instruments().ended.add(0, { reason })
  return observe('core', {
    name: 'merx_core_event_streams',
    description: 'Event streams that are open in this process, at most 2,000.',
    read: countOpen,
  })
}
