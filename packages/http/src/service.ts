import type { RequestListener } from 'node:http'

/** What compose() of a service gives. */
export interface Service {
  readonly app: RequestListener
  readonly internalApp: RequestListener
  /** Called before the public listener opens. */
  start(): Promise<void>
  /** Ends streams to callers, so that the public listener can close; called before it does. */
  endStreams?(): void
  /** Answers calls that wait for something to happen, so that the internal listener can close. */
  endWaits?(): void
  close(): Promise<void>
}
