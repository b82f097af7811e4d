/** Records → JSON:API documents: primary data, everything included once, collection meta and page links. */
import type { RenderContext } from './attributes.ts'
import { pageLinks } from './page-links.ts'
import type { Fieldsets, ListQuery } from './query.ts'
import type { ResourceRecord } from './record.ts'
import { isMany, renderLinkage, renderResource } from './render-resource.ts'
import type { RenderedResource } from './render-resource.ts'

/** A document with one resource, or none. */
export interface SingleDocument {
  data: RenderedResource | null
  included?: RenderedResource[]
}

/** A document with one page of a collection. */
export interface CollectionDocument {
  data: RenderedResource[]
  included?: RenderedResource[]
  meta: { record_count: number; page_count: number }
  links: Record<string, string>
}

/** What was asked for, beyond the records themselves. */
export interface RenderOptions {
  readonly fields: Fieldsets
  /** Whether the request asked for includes; then `included` is there, even when empty. */
  readonly hasIncludes: boolean
}

/** A document about one resource, or about none. */
export const renderSingle = (
  record: ResourceRecord | null,
  context: RenderContext,
  { fields, hasIncludes }: RenderOptions,
): SingleDocument => {
  const data =
    record === null ? null : renderResource(record, context, fields.get(record.definition.type), true)
  if (!hasIncludes) return { data }
  return { data, included: renderIncluded(record === null ? [] : [record], context, fields) }
}

/** One page of a collection. `path` is the absolute address of the collection, without query. */
export const renderCollection = (
  page: { readonly records: readonly ResourceRecord[]; readonly recordCount: number },
  context: RenderContext,
  query: Pick<ListQuery, 'fields' | 'page' | 'parameters'> & { readonly hasIncludes: boolean },
  path: string,
): CollectionDocument => {
  const { records, recordCount } = page
  const pageCount = Math.ceil(recordCount / query.page.size)
  return {
    data: records.map((record) =>
      renderResource(record, context, query.fields.get(record.definition.type), false),
    ),
    ...(query.hasIncludes ? { included: renderIncluded(records, context, query.fields) } : {}),
    meta: { record_count: recordCount, page_count: pageCount },
    links: pageLinks(path, query.parameters, query.page, pageCount),
  }
}

/** The linkage document of `/<id>/relationships/<name>`. */
export const renderRelationship = (
  linked: ResourceRecord | null | readonly ResourceRecord[],
  links: { readonly self: string; readonly related: string },
): { links: { self: string; related: string }; data: unknown } => ({
  links: { ...links },
  data: renderLinkage(linked),
})

/** Every record reached through linkage once, in the order it is first met; primary data is not repeated. */
const renderIncluded = (
  primary: readonly ResourceRecord[],
  context: RenderContext,
  fields: Fieldsets,
): RenderedResource[] => {
  const seen = new Set(primary)
  const included: RenderedResource[] = []
  const queue = [...primary]
  for (const record of queue) {
    for (const linked of record.linked.values()) {
      for (const target of toList(linked)) {
        if (seen.has(target)) continue
        seen.add(target)
        queue.push(target)
        included.push(renderResource(target, context, fields.get(target.definition.type), false))
      }
    }
  }
  return included
}

const toList = (linked: ResourceRecord | null | readonly ResourceRecord[]): readonly ResourceRecord[] => {
  if (linked === null) return []
  return isMany(linked) ? linked : [linked]
}
