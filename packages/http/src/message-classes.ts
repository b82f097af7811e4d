/**
 * Requests and responses that are an app's own from the start. Express changes the prototype of each request and
 * response it is given, which makes V8 look up every property of them the slow way from then on; for those that have
 * that prototype already the change is none.
 */
import { IncomingMessage, ServerResponse, type RequestListener } from 'node:http'
import type { Express } from 'express'

/** The options of http.createServer that make what it hands to its listener. */
export interface MessageClasses {
  readonly IncomingMessage?: typeof IncomingMessage
  readonly ServerResponse?: typeof ServerResponse<IncomingMessage>
}

const classesOf = new WeakMap<RequestListener, MessageClasses>()

/** For a new app, before it is given a request. */
export const giveMessageClasses = (app: Express): void => {
  class AppRequest extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppRequest.prototype, app.request)
  Object.setPrototypeOf(AppResponse.prototype, app.response)
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype })
  classesOf.set(app, { IncomingMessage: AppRequest, ServerResponse: AppResponse })
}

/** Those of an app made by createApp; Node's own for any other listener. */
export const messageClassesOf = (listener: RequestListener): MessageClasses => classesOf.get(listener) ?? {}
