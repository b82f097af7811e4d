/**
 * Saves a price or a quantity. The record is read first: when its value is no longer the one that was shown, nothing is
 * written, and its tag refuses the write when somebody changes it in between.
 */
import { Refused } from '../data/answers.ts'
import { askCore, askCoreTagged } from '../data/api.ts'
import { t } from '../language/text.ts'
import type { CoreRecord } from '../records/types.ts'
import { formatValue, KEPT, type Column } from './columns.ts'
import type { Value } from './read-products.ts'

const CHANGED_MEANWHILE = 412

/** Somebody else was quicker; `current` is what there is now. */
export class ChangedMeanwhile extends Refused {
  readonly current: Value

  constructor(column: Column, current: Value) {
    const value = formatValue(column, current.value)
    const detail = t('Somebody else changed it to {value} meanwhile. Nothing was saved.', { value })
    super(CHANGED_MEANWHILE, [{ title: t('Changed meanwhile'), detail }])
    this.current = current
  }
}

interface RecordDocument {
  readonly data: CoreRecord
}

const valueOf = ({ type }: Column, { data }: RecordDocument): Value => ({
  id: data.id,
  value: Number(data.attributes[KEPT[type].attribute]),
})

const create = async (column: Column, skuId: string, value: number): Promise<Value> => {
  const { type, ownerId } = column
  const { owner, ownerType, attribute } = KEPT[type]
  const relationships = {
    sku: { data: { type: 'skus', id: skuId } },
    [owner]: { data: { type: ownerType, id: ownerId } },
  }
  const body = { data: { type, attributes: { [attribute]: value }, relationships } }
  return valueOf(column, await askCore<RecordDocument>(type, { method: 'POST', body }))
}

const read = async (column: Column, id: string) => {
  const { document, tag } = await askCoreTagged<RecordDocument>(`${column.type}/${id}`)
  return { current: valueOf(column, document), tag }
}

const update = async (column: Column, shown: Value, value: number): Promise<Value> => {
  const { type } = column
  const { id } = shown
  const { current, tag } = await read(column, id)
  if (current.value !== shown.value) throw new ChangedMeanwhile(column, current)
  const body = { data: { type, id, attributes: { [KEPT[type].attribute]: value } } }
  try {
    return valueOf(
      column,
      await askCore<RecordDocument>(`${type}/${id}`, { method: 'PATCH', body, ifMatch: tag }),
    )
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== CHANGED_MEANWHILE) throw error
    throw new ChangedMeanwhile(column, (await read(column, id)).current)
  }
}

/** @param shown undefined where there is no price or stock yet @throws Refused, ChangedMeanwhile */
export const saveValue = (
  column: Column,
  skuId: string,
  shown: Value | undefined,
  value: number,
): Promise<Value> => (shown === undefined ? create(column, skuId, value) : update(column, shown, value))
