/** What is known of the request being served, carried along every asynchronous step it starts. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** `requestId` is a UUID: the one the caller sent as X-Request-Id, or one made here. */
export interface RequestContext {
  readonly requestId: string
  /** IP address of the client, as far as the proxies in front are believed. */
  readonly clientAddress?: string | undefined
}

const storage = new AsyncLocalStorage<RequestContext>()

/** Runs `work` and all it starts inside `context`. */
export const runWithContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work)

/** The context of the request being served; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore()
