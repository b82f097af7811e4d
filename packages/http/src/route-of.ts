import type { Request, Response } from 'express'

/**
 * The template of the route that answered, such as `/api/skus/:id`, or what a handler that serves several calls itself in
 * `res.locals.route`; undefined when none did. Routers are mounted on fixed prefixes, so this takes as many values as
 * there are routes.
 */
export const routeOf = (req: Request, res: Response): string | undefined => {
  const { route } = res.locals as { route?: string }
  if (route !== undefined) return route
  const path: unknown = (req.route as { path?: unknown } | undefined)?.path
  return typeof path === 'string' ? req.baseUrl + path : undefined
}
