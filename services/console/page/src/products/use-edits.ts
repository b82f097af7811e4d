/** What is typed into cells and not saved: being saved now, or refused. What is saved appears in every list of products. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import { problemsOf } from '../data/api.ts'
import { t } from '../language/text.ts'
import { formatValue, parseText, toText, type Column } from './columns.ts'
import type { Product, ProductPage, Value } from './read-products.ts'
import { ChangedMeanwhile, saveValue } from './save-value.ts'

export interface Edit {
  readonly product: Product
  readonly column: Column
  readonly text: string
  /** Undefined while it is being saved. */
  readonly problem: string | undefined
}

export type Edits = Readonly<Record<string, Edit>>

export const editKey = ({ id }: Pick<Product, 'id'>, { key }: Pick<Column, 'key'>): string => `${id} ${key}`

const withValue = (product: Product, { key }: Column, value: Value): Product => ({
  ...product,
  values: { ...product.values, [key]: value },
})

/** Everywhere the product is shown, so that no page is read again for one value. */
const showValue = (queries: QueryClient, product: Product, column: Column, value: Value): void => {
  const change = (each: Product) => (each.id === product.id ? withValue(each, column, value) : each)
  queries.setQueriesData<ProductPage>(
    { queryKey: ['products'] },
    (page) => page && { ...page, products: page.products.map(change) },
  )
  void queries.invalidateQueries({ queryKey: ['product', product.id] })
}

const wordsOf = (error: unknown): string =>
  problemsOf(error)
    .map(({ detail }) => detail)
    .join('; ')

export interface EditActions {
  readonly edits: Edits
  /** The last one that was saved, for people who hear the page. */
  readonly saved: string
  readonly save: (product: Product, column: Column, text: string) => void
  readonly discard: (key: string) => void
}

export const useEdits = (): EditActions => {
  const queries = useQueryClient()
  const [edits, setEdits] = useState<Edits>({})
  const [saved, setSaved] = useState('')
  const saving = useRef(new Set<string>())
  const discard = useCallback((key: string) => setEdits(({ [key]: _gone, ...others }) => others), [])
  const write = useCallback(
    async (edit: Edit, value: number) => {
      const { product, column } = edit
      const key = editKey(product, column)
      const refuse = (problem: string) => setEdits((all) => ({ ...all, [key]: { ...edit, problem } }))
      try {
        const written = await saveValue(column, product.id, product.values[column.key], value)
        showValue(queries, product, column, written)
        discard(key)
        const shown = formatValue(column, written.value)
        setSaved(
          t('Saved: {code}, {column}, {value}', { code: product.code, column: column.name, value: shown }),
        )
      } catch (error) {
        if (error instanceof ChangedMeanwhile) showValue(queries, product, column, error.current)
        refuse(wordsOf(error))
      } finally {
        saving.current.delete(key)
      }
    },
    [queries, discard],
  )
  const save = useCallback(
    (product: Product, column: Column, text: string) => {
      const key = editKey(product, column)
      if (saving.current.has(key)) return
      const shown = product.values[column.key]
      const parsed = parseText(column, text)
      const isUnchanged =
        shown === undefined
          ? text.trim() === ''
          : text === toText(column, shown.value) || ('value' in parsed && parsed.value === shown.value)
      if (isUnchanged) return discard(key)
      const problem = 'problem' in parsed ? parsed.problem : undefined
      const edit = { product, column, text, problem }
      setEdits((all) => ({ ...all, [key]: edit }))
      if ('problem' in parsed) return
      saving.current.add(key)
      void write(edit, parsed.value)
    },
    [write, discard],
  )
  return { edits, saved, save, discard }
}
