/** The context of the current request (AsyncLocalStorage): its id and trace. */
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * `requestId` is a UUID: the trace id of the caller's traceparent, or else the one sent as X-Request-Id, or else made
 * here. Without its dashes it is the id of the request's trace.
 */
export interface RequestContext {
  readonly requestId: string
  /** What the caller sent as traceparent, handed on by calls while nothing is recorded here. */
  readonly traceparent?: string | undefined
  /** 32 hexadecimal digits, when the request's trace is recorded. */
  readonly traceId?: string | undefined
  /** IP address of the client, as far as the proxies in front are believed. */
  readonly clientAddress?: string | undefined
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Runs `work` and all it starts inside `context`. */
export const runWithContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work)

/** The context of the request being served; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore()
