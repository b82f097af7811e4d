/**
 * The route of an app that is asked for most, found by its exact method and path before Express walks through its layers
 * (docs/adr/0046-one-route-is-found-before-express.md). Other spellings of its path reach it through Express.
 */
import type { Request, RequestHandler, Response } from 'express'

export interface FirstRoute {
  readonly method: string
  readonly path: string
  /** Run in order, as Express runs the handlers of a route. The last one answers. */
  readonly steps: readonly RequestHandler[]
  /** Told of what a step threw or passed on, before the error handlers of the app. */
  readonly onError?: (error: unknown, req: Request) => void
}

/** Whether the request names the route letter by letter, whatever its query. */
export const isOf = ({ method, path }: FirstRoute, { method: asked, url }: Request): boolean =>
  asked === method && url.startsWith(path) && (url.length === path.length || url[path.length] === '?')

/** @param fail gets what a step throws, rejects with, or passes on */
export const runSteps = (
  { steps }: FirstRoute,
  req: Request,
  res: Response,
  fail: (error: unknown) => void,
): void => {
  let index = 0
  const next = (error?: unknown): void => {
    if (error !== undefined) return fail(error)
    const step = steps[index++]
    if (step === undefined) return fail(new Error('the last step of a route passed the request on'))
    try {
      const result: unknown = step(req, res, next)
      if (result instanceof Promise) result.catch(fail)
    } catch (thrown) {
      fail(thrown)
    }
  }
  next()
}
