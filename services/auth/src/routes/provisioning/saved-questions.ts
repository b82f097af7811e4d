/** The questions that whoever signed in keeps, to metrics or to another screen of the console: theirs alone, for the mode of the token, whatever their role. */
import { AppError } from '@merx/errors/app-error'
import { parseListQuery, refuseParameters } from '@merx/jsonapi/parse-query'
import { parseWrite } from '@merx/jsonapi/parse-write'
import type { ResourceRecord } from '@merx/jsonapi/record'
import { renderCollection, renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { WriteOperation } from '@merx/jsonapi/rules'
import { validateAttributes } from '@merx/jsonapi/validate-attributes'
import { throwViolations } from '@merx/jsonapi/validation-errors'
import type { Request, RequestHandler, Response } from 'express'
import { createWriteValues, onlySent } from '../../provisioning/acts/write-values.ts'
import { ownResources as registry } from '../../provisioning/resources/index.ts'
import {
  savedQuestions as definition,
  SAVED_QUESTIONS_MAX,
} from '../../provisioning/resources/saved-questions.ts'
import type { SavedQuestion } from '../../store/generated/client.ts'
import { requireRowId, toPublicId } from '../../store/public-ids.ts'
import type { Keeper, SavedQuestionStore } from '../../store/saved-question-store.ts'
import { signedInOf } from './administrator.ts'
import { answer } from './handlers.ts'
import { idOf, PATH, queryOf, renderContextOf, type ProvisioningRequestDeps } from './request.ts'

export interface SavedQuestionDeps extends Pick<ProvisioningRequestDeps, 'hosts'> {
  readonly store: SavedQuestionStore
}

/** Checked again before it is shown: a statement that forgot whose it is would be an error, not an answer. */
const recordOf = (row: SavedQuestion, { userId, mode }: Keeper): ResourceRecord => {
  if (row.userId !== requireRowId('users', userId) || row.mode !== mode)
    throw new Error('a saved question belongs to somebody else')
  const { screen, name, question, reference, metadata } = row
  const times = { created_at: row.createdAt, updated_at: row.updatedAt }
  return {
    definition,
    id: toPublicId('saved_questions', row.id),
    row: {
      ...{ id: row.id, screen, name, question, reference, metadata, ...times },
      reference_origin: row.referenceOrigin,
    },
    linked: new Map(),
  }
}

/** Values as the store takes them. @throws AppErrors bad_request, validation_error */
const readValues = (req: Request, operation: WriteOperation) => {
  const target = { definition, registry, operation, isSalesChannel: false } as const
  const request = parseWrite(req.body, operation === 'update' ? { ...target, id: idOf(req) } : target)
  const { columns, violations } = validateAttributes(request.attributes, definition, operation)
  throwViolations(violations)
  return createWriteValues({ columns, links: new Map(), triggers: new Set() })
}

const ALL = parseListQuery(`page[size]=${SAVED_QUESTIONS_MAX}`, definition, registry)

const notFound = (id: string): AppError =>
  new AppError('record_not_found', { detail: `You have no saved question with the id "${id.slice(0, 50)}".` })

export const savedQuestionHandlers = (deps: SavedQuestionDeps) => {
  const { store } = deps
  const answerOne = (req: Request, res: Response, status: 200 | 201, row: SavedQuestion): void => {
    const render = renderContextOf(req, res, deps)
    const record = recordOf(row, signedInOf(res))
    if (status === 201) res.setHeader('Location', linkTo(record, render))
    answer(res, status, renderSingle(record, render, { fields: new Map(), hasIncludes: false }))
  }

  const list: RequestHandler = async (req, res) => {
    refuseParameters(queryOf(req.originalUrl))
    const keeper = signedInOf(res)
    const records = (await store.list(keeper)).map((row) => recordOf(row, keeper))
    const render = renderContextOf(req, res, deps)
    const path = `${render.baseUrl}${PATH}/${definition.path}`
    answer(res, 200, renderCollection({ records, recordCount: records.length }, render, ALL, path))
  }

  const create: RequestHandler = async (req, res) => {
    refuseParameters(queryOf(req.originalUrl))
    const values = readValues(req, 'create')
    const [screen = '', name = '', question = ''] = ['screen', 'name', 'question'].map((at) =>
      values.text(at),
    )
    const row = await store.create(signedInOf(res), { screen, name, question, ...values.notes })
    answerOne(req, res, 201, row)
  }

  const update: RequestHandler = async (req, res) => {
    refuseParameters(queryOf(req.originalUrl))
    const values = readValues(req, 'update')
    const changes = onlySent({ name: values.text('name'), question: values.text('question') })
    const row = await store.update(signedInOf(res), idOf(req), { ...changes, ...values.notes })
    if (row === undefined) throw notFound(idOf(req))
    answerOne(req, res, 200, row)
  }

  const remove: RequestHandler = async (req, res) => {
    refuseParameters(queryOf(req.originalUrl))
    if (!(await store.remove(signedInOf(res), idOf(req)))) throw notFound(idOf(req))
    res.status(204).end()
  }

  return { list, create, update, remove }
}
