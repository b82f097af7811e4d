/** What may be written as `external_includes`: paths that one of the documents that are sent can bring along. */
import type { Rule } from '@merx/jsonapi/rules'

const NAME = 'external_includes'

/**
 * The rule of a type that has them; `types` are those of the documents that it sends.
 * @example rules: [externalIncludes('orders')]
 */
export const externalIncludes =
  (...types: readonly string[]): Rule =>
  ({ after, sent, includeProblem }) => {
    const { [NAME]: paths } = after
    if (!sent.has(NAME) || !Array.isArray(paths)) return {}
    const isRefused = (path: unknown) =>
      typeof path !== 'string' || types.every((type) => includeProblem(path, type) !== undefined)
    // One error for each attribute: the first path is named, and what there is in its place.
    const at = paths.findIndex(isRefused)
    if (at === -1) return {}
    const refused: unknown = paths[at]
    const message =
      typeof refused === 'string'
        ? types.map((type) => includeProblem(refused, type)).join('; ')
        : 'must be a list of paths, such as "market"'
    return {
      violations: [{ at: { attribute: NAME }, error: 'invalid', message, value: refused }],
    }
  }
