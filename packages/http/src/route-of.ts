import type { Request } from 'express'

/**
 * The template of the route that answered, such as `/api/:type/:id`; undefined when none did. Routers are mounted on
 * fixed prefixes, so this takes as many values as there are routes.
 */
export const routeOf = (req: Request): string | undefined => {
  const path: unknown = (req.route as { path?: unknown } | undefined)?.path
  return typeof path === 'string' ? req.baseUrl + path : undefined
}
