/** POST /api/rules/check: what the rules of a flex promotion say of orders that the caller brings (docs/adr/0122). */
import { callerOf } from '@merx/access-token/authenticate'
import { AppError, AppErrors } from '@merx/errors/app-error'
import { methodNotAllowed } from '@merx/http/method-not-allowed'
import { JSON_API_MEDIA_TYPE } from '@merx/jsonapi/media-types'
import { compile } from '@merx/validation/compile'
import type { Violation } from '@merx/validation/compile'
import { Router } from 'express'
import type { RequestHandler } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { withoutBroken } from '../access/restrictions.ts'
import type { Registry } from '../engine/registry.ts'
import { SETTING_DEFAULTS } from '../markets/organizations.ts'
import { askRules } from '../rules-engine/ask-rules.ts'
import { askedTree } from '../rules-engine/asked-tree.ts'
import type { Json } from '../rules-engine/facts.ts'
import { outcomeView } from '../rules-engine/outcome-view.ts'
import { problemsOf } from '../rules-engine/rule-problems.ts'
import { parseRules } from '../rules-engine/rules-schema.ts'
import { RULED_TYPE } from '../rules-engine/rules.ts'
import type { RulesDocument } from '../rules-engine/rules.ts'
import { BODY_BYTES_MAX, negotiate, readDocument } from './negotiate.ts'

const PATH = '/rules/check'
const PAYLOADS_MAX = 10
const LINES_MAX = 200
/** Those of an organization that has set none. */
const LIMITS = {
  rules: SETTING_DEFAULTS.promotions_max_rules_size,
  conditions: SETTING_DEFAULTS.promotions_max_conditions_size,
  pattern: SETTING_DEFAULTS.api_max_regex_length,
}

interface Question {
  readonly payload: readonly { readonly order?: Json }[]
  readonly rules: unknown
}

const parse = compile<Question>({
  type: 'object',
  required: ['payload', 'rules'],
  additionalProperties: false,
  properties: {
    payload: {
      type: 'array',
      minItems: 1,
      maxItems: PAYLOADS_MAX,
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          order: {
            type: 'object',
            properties: { line_items: { type: 'array', maxItems: LINES_MAX, items: { type: 'object' } } },
          },
        },
      },
    },
    rules: {},
  },
})

/** For whoever may read flex promotions; nothing of the shop is read. */
export const checkRulesRoutes = (registry: Registry): Router => {
  const router = Router({ caseSensitive: true })
  router
    .route(PATH)
    .post(negotiate, readDocument(BODY_BYTES_MAX), handleCheckRules(registry))
    .all(methodNotAllowed(['POST'], 'method_not_allowed'))
  return router
}

const handleCheckRules =
  (registry: Registry): RequestHandler =>
  (req, res) => {
    requirePermission(withoutBroken(callerOf(res), registry), registry.require(RULED_TYPE), 'retrieve')
    const question = parse(req.body)
    if (!question.ok) throw new AppErrors(question.violations.map(toError))
    const document = checkRules(question.value.rules, registry)
    const now = new Date()
    const data = question.value.payload.map((payload) =>
      outcomeView(askRules(document, askedTree(payload, now))),
    )
    res.setHeader('Content-Type', JSON_API_MEDIA_TYPE)
    res.end(JSON.stringify({ data }))
  }

const checkRules = (rules: unknown, registry: Registry): RulesDocument => {
  const parsed = parseRules({ rules }, 'order')
  if (!parsed.ok) throw new AppErrors(parsed.violations.map(toError))
  const problems = problemsOf(parsed.value, 'order', LIMITS, registry)
  if (problems.length > 0)
    throw new AppErrors(problems.map((message) => toError({ pointer: '/rules', message })))
  return parsed.value
}

const toError = ({ pointer, message }: Pick<Violation, 'pointer' | 'message'>): AppError =>
  new AppError('validation_error', {
    title: message,
    detail: `${pointer.slice(1).replaceAll('/', '.') || 'the body'} ${message}`,
    source: { pointer },
    meta: { error: 'invalid' },
  })
