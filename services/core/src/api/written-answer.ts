/** The answer of a write: the resource as it is afterwards; with an Idempotency-Key it is stored, and sent again. */
import type { Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RetrieveQuery } from '@merx/jsonapi/query'
import { renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { Reading } from '../engine/read/read-includes.ts'
import { completeRecord } from '../engine/read/read-one.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import { storeAnswer, storeAnswerOfRow } from '../engine/sql/idempotency-keys.ts'
import type { RequestKey } from '../engine/sql/idempotency-keys.ts'
import { keyInUse } from '../engine/write/keyed-write.ts'
import type { KeyedWrite } from '../engine/write/keyed-write.ts'
import type { Answer } from './answer.ts'
import { readAfresh } from './request.ts'
import type { CoreRequest } from './request.ts'

export interface Writing {
  readonly definition: ResourceDefinition
  readonly request: CoreRequest
  /** Of the answer. */
  readonly status: 200 | 201
  /** Of the header Idempotency-Key. */
  readonly key: RequestKey | undefined
}

/** A writer sees what it wrote, also where its scope would not show it (a new SKU has no price yet). */
export const renderWritten = async (
  { definition, request, status }: Writing,
  row: Row,
  query: RetrieveQuery,
  run = request.reading.run,
): Promise<Answer> => {
  const { reading: afresh, render } = readAfresh(request)
  const reading: Reading = { ...afresh, run }
  const record = reading.records.of(definition, row)
  await completeRecord(record, query, reading)
  return {
    status,
    headers: status === 201 ? { Location: linkTo(record, render) } : {},
    body: request.toBytes(renderSingle(record, render, query)),
  }
}

/** A write with its key, and the answer once it was stored. */
export interface StoringWrite extends KeyedWrite {
  readonly answer: () => Answer | undefined
}

/** Undefined without a key. */
export const keyedWriteOf = (
  writing: Writing,
  query: RetrieveQuery,
  secretBox: Pick<SecretBox, 'seal'>,
): StoringWrite | undefined => {
  const { key, status, definition } = writing
  if (key === undefined) return undefined
  const fields = query.fields.get(definition.type)
  const isLoaded = Object.entries(definition.attributes).some(
    ([name, { loader }]) => loader !== undefined && fields?.has(name) !== false,
  )
  const isPresented = Object.hasOwn(writing.request.reading.registry.facts.presentations, definition.type)
  const showsMoreThanRow = query.hasIncludes || isLoaded || isPresented
  let answer: Answer | undefined
  return {
    key,
    status,
    store: async (row, run) => {
      const rendered = await renderWritten(writing, row, query, run)
      const stored = await run(storeAnswer(key, status, sealAnswer(rendered, secretBox)))
      if (stored.length === 0) throw keyInUse()
      answer = rendered
    },
    storeMore: async (row, run) => {
      if (!showsMoreThanRow) return
      const rendered = await renderWritten(writing, row, query, run)
      await run(storeAnswerOfRow(key, sealAnswer(rendered, secretBox)))
      answer = rendered
    },
    answer: () => answer,
  }
}

const sealAnswer = ({ status, headers, body }: Answer, box: Pick<SecretBox, 'seal'>): string =>
  box.seal({ status, headers, body: body.toString() })

/** Throws when it was not sealed by `sealAnswer`. */
export const openAnswer = (sealed: string, box: Pick<SecretBox, 'open'>): Answer => {
  const { status, headers, body } = box.open(sealed) as Pick<Answer, 'status' | 'headers'> & { body: string }
  return { status, headers, body: Buffer.from(body) }
}
