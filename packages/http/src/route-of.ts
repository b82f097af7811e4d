import type { Request, Response } from 'express'

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/**
 * Where the route's router is mounted. Express has forgotten it once an error has left the router; the address still
 * shows it, as what comes before as many segments as the template has.
 */
const mountOf = ({ baseUrl, originalUrl }: Request, template: string): string => {
  if (baseUrl !== '' || originalUrl.startsWith(template)) return baseUrl
  const asked = segmentsOf(originalUrl.split('?', 1)[0] ?? '')
  const before = asked.slice(0, Math.max(0, asked.length - segmentsOf(template).length))
  return before.map((segment) => `/${segment}`).join('')
}

/**
 * The template of the route that answered, such as `/api/skus/:id`, or what a handler that serves several calls itself in
 * `res.locals.route`; undefined when none did. Routers are mounted on fixed prefixes, so this takes as many values as
 * there are routes.
 */
export const routeOf = (req: Request, res: Response): string | undefined => {
  const { route } = res.locals as { route?: string }
  if (route !== undefined) return route
  const path: unknown = (req.route as { path?: unknown } | undefined)?.path
  return typeof path === 'string' ? mountOf(req, path) + path : undefined
}
