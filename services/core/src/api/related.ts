/**
 * GET /api/<resources>/<id>/<relationship> and …/relationships/<relationship>: what a resource is related to, as
 * resources or as linkage only. To-many relationships are collections: filtered, sorted and paged.
 */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import {
  parseLinkageQuery,
  parseListQuery,
  parseRetrieveQuery,
  refuseParameters,
} from '@merx/jsonapi/parse-query'
import type { Linked } from '@merx/jsonapi/record'
import type { Relationship, ToMany } from '@merx/jsonapi/relationships'
import { renderCollection, renderRelationship, renderSingle } from '@merx/jsonapi/render-document'
import type { RequestHandler, Response } from 'express'
import { requirePermission } from '../access/permissions.ts'
import { requireReadable, requireReadableField } from '../access/require-readable.ts'
import { readIncludes } from '../engine/read/read-includes.ts'
import { completeRecord } from '../engine/read/read-one.ts'
import { readPage } from '../engine/read/read-page.ts'
import { answer } from './answer.ts'
import { requireVisible } from './find-visible.ts'
import { idOf, openRequest } from './request.ts'
import type { CoreRequest, RouteDeps } from './request.ts'

interface Related {
  readonly definition: ResourceDefinition
  readonly name: string
  readonly id: string
  readonly request: CoreRequest
}

/** The related resources themselves. */
export const handleRelated =
  (
    definition: ResourceDefinition,
    name: string,
    relationship: Relationship,
    deps: RouteDeps,
  ): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    const related: Related = { definition, name, id: idOf(req), request }
    if (relationship.kind === 'toMany') await answerMany(related, relationship, deps, res, false)
    else await answerOne(related, relationship, deps, res)
  }

/** Linkage only: types and ids. */
export const handleLinkage =
  (
    definition: ResourceDefinition,
    name: string,
    relationship: Relationship,
    deps: RouteDeps,
  ): RequestHandler =>
  async (req, res) => {
    const request = await openRequest(req, res, deps)
    const related: Related = { definition, name, id: idOf(req), request }
    if (relationship.kind === 'toMany') {
      await answerMany(related, relationship, deps, res, true)
      return
    }
    refuseParameters(request.query)
    const linked = await readOne(related, relationship)
    answer(res, 200, renderRelationship(linked, linksOf(related)))
  }

const answerMany = async (
  related: Related,
  relationship: ToMany,
  { registry }: RouteDeps,
  res: Response,
  isLinkage: boolean,
): Promise<void> => {
  const { definition, name, id, request } = related
  const { caller, reading, render } = request
  const target = registry.require(relationship.target)
  requirePermission(caller, definition, 'retrieve')
  requirePermission(caller, target, 'related')
  const query = (isLinkage ? parseLinkageQuery : parseListQuery)(request.query, target, registry)
  requireReadableField(name, definition, caller, registry)
  requireReadable(query, target, caller, registry)
  const owner = await requireVisible(definition, id, request)
  const parent = { definition: owner.definition, number: owner.number, name, relationship }
  const page = await readPage(target, query, reading, parent)
  const links = linksOf(related)
  const path = isLinkage ? links.self : links.related
  const document = renderCollection(page, render, query, path)
  if (!isLinkage) return answer(res, 200, document)
  const linkage = renderRelationship(page.records, links)
  answer(res, 200, { ...document, data: linkage.data, links: { ...linkage.links, ...document.links } })
}

const answerOne = async (
  related: Related,
  relationship: Exclude<Relationship, ToMany>,
  { registry }: RouteDeps,
  res: Response,
): Promise<void> => {
  const { caller, reading, render, query: raw } = related.request
  const linked = await readOne(related, relationship)
  // Without a resource the query is still checked, against the first type there could be.
  const types = relationship.kind === 'polymorphicToOne' ? relationship.targets : [relationship.target]
  const type = linked?.definition.type ?? types[0] ?? related.definition.type
  const target = registry.require(type)
  const query = parseRetrieveQuery(raw, target, registry)
  requireReadable(query, target, caller, registry)
  if (linked !== null) await completeRecord(linked, query, reading)
  answer(res, 200, renderSingle(linked, render, query))
}

/** The owner's linkage is read as an include would, then taken off it: the answer is about the target alone. */
const readOne = async (
  { definition, name, id, request }: Related,
  relationship: Exclude<Relationship, ToMany>,
) => {
  const { caller, reading } = request
  requirePermission(caller, definition, 'retrieve')
  requireReadableField(name, definition, caller, reading.registry)
  if (relationship.kind === 'toOne') {
    requirePermission(caller, reading.registry.require(relationship.target), 'related')
  }
  const owner = await requireVisible(definition, id, request)
  await readIncludes([owner], { [name]: {} }, reading)
  return toOpen(owner.linked.get(name), reading)
}

const toOpen = (linked: Linked | undefined, { records }: CoreRequest['reading']) => {
  if (linked === undefined || linked === null || !('definition' in linked)) return null
  return records.of(linked.definition, linked.row)
}

const linksOf = ({
  definition,
  name,
  id,
  request,
}: Related): { readonly self: string; readonly related: string } => {
  const resource = `${request.render.baseUrl}/api/${definition.path}/${id}`
  return { self: `${resource}/relationships/${name}`, related: `${resource}/${name}` }
}
