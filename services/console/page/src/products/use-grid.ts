/** What is chosen and edited in the grid of products, and what keys and clicks do. */
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useMay } from '../data/permissions.ts'
import { toText, type Column } from './columns.ts'
import { gridAction, placeAfterEdit, type GridSize, type Place } from './grid-keys.ts'
import type { Product, ProductQuestion } from './read-products.ts'
import { editKey, useEdits, type Edits } from './use-edits.ts'
import { HEAD_PX, ROW_PX, useGridRows } from './use-grid-rows.ts'
import { useProductPages } from './use-product-pages.ts'

/** Code and name, before the columns that are edited. */
export const NAME_COLUMNS = 2

export interface Editing {
  readonly place: Place
  /** As it was when editing began. */
  readonly product: Product
  readonly column: Column
  readonly text: string
  /** Whether the text is what was there, so that typing replaces it. */
  readonly isWhole: boolean
}

export interface GridProps {
  readonly question: ProductQuestion
  readonly columns: readonly Column[]
  readonly count: number
}

/** What is there may be changed, what is missing may be made. */
const useMayEdit = () => {
  const may = useMay()
  return (product: Product | undefined, column: Column | undefined): boolean =>
    product !== undefined &&
    column !== undefined &&
    may(product.values[column.key] === undefined ? 'create' : 'update', column.type)
}

const textOf = (edits: Edits, product: Product, column: Column): string => {
  const value = product.values[column.key]
  const refused = edits[editKey(product, column)]?.text
  return refused ?? (value === undefined ? '' : toText(column, value.value))
}

const sizeOf = (element: HTMLElement | null, rows: number, columns: number): GridSize => ({
  rows,
  columns,
  page: Math.max(Math.floor(((element?.clientHeight ?? 0) - HEAD_PX) / ROW_PX) - 1, 1),
  isRightToLeft: document.documentElement.dir === 'rtl',
})

const isSame = (one: Place | undefined, other: Place): boolean =>
  one?.row === other.row && one.column === other.column

/** One cell at a time is edited; what is typed into it is saved when it is left. */
const useEditing = (columns: readonly Column[]) => {
  const mayEdit = useMayEdit()
  const { edits, saved, save, discard } = useEdits()
  const [editing, setEditing] = useState<Editing>()
  const editor = useRef<HTMLInputElement>(null)
  const places = useRef(new Map<string, Place>())
  // The blur of an editor that is gone must not save again, nor after Escape.
  const open = useRef<Editing>(undefined)
  const change = (next: Editing | undefined) => {
    open.current = next
    setEditing(next)
  }
  const begin = (place: Place, product: Product, typed?: string) => {
    const column = columns[place.column - NAME_COLUMNS]
    if (column === undefined || !mayEdit(product, column)) return
    const edit = edits[editKey(product, column)]
    // While it is being saved it has no problem yet.
    if (edit !== undefined && edit.problem === undefined) return
    const text = typed ?? textOf(edits, product, column)
    change({ place, product, column, text, isWhole: typed === undefined })
  }
  const finish = () => {
    const text = editor.current?.value
    if (open.current === undefined || text === undefined) return
    const { product, column, place } = open.current
    places.current.set(editKey(product, column), place)
    change(undefined)
    save(product, column, text)
  }
  const cancel = () => change(undefined)
  const placeOf = (key: string): Place | undefined => places.current.get(key)
  return { edits, saved, discard, editing, editor, mayEdit, begin, finish, cancel, placeOf }
}

export const useGrid = ({ question, columns, count }: GridProps) => {
  const navigate = useNavigate()
  const [active, setActive] = useState<Place>({ row: 0, column: 0 })
  const cells = useEditing(columns)
  const { editing, finish, cancel, placeOf } = cells
  const view = useGridRows(count, editing?.place.row)
  const pages = useProductPages(question, view.first, view.last)
  const { element, scrollTo } = view

  const moveTo = (place: Place) => {
    setActive(place)
    scrollTo(place)
  }
  const productAt = (row: number): Product | undefined =>
    editing?.place.row === row ? editing.product : pages.productAt(row)
  /** The name of a product leads to its page. */
  const open = (place: Place, typed?: string) => {
    const product = productAt(place.row)
    if (product === undefined) return
    if (place.column >= NAME_COLUMNS) cells.begin(place, product, typed)
    else if (typed === undefined) void navigate({ to: '/products/$id', params: { id: product.id } })
  }
  const pressInEditor = (event: KeyboardEvent, place: Place): boolean => {
    const next = placeAfterEdit(event, place, sizeOf(element.current, count, columns.length + NAME_COLUMNS))
    if (event.key === 'Escape') {
      cancel()
      moveTo(place)
      return true
    }
    if (next === undefined) return false
    finish()
    moveTo(next)
    return true
  }
  const pressInGrid = (event: KeyboardEvent): boolean => {
    const action = gridAction(event, active, sizeOf(element.current, count, columns.length + NAME_COLUMNS))
    if (action?.kind === 'move') moveTo(action.to)
    if (action?.kind === 'edit') open(active, action.text)
    return action !== undefined
  }
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const isUsed = editing === undefined ? pressInGrid(event) : pressInEditor(event, editing.place)
    if (isUsed) event.preventDefault()
  }
  /** A cell that is chosen already is edited. */
  const choose = (place: Place) => {
    if (isSame(editing?.place, place)) return
    setActive(place)
    if (isSame(active, place) && place.column >= NAME_COLUMNS) open(place)
  }
  const show = (key: string) => {
    const place = placeOf(key)
    if (place !== undefined) moveTo(place)
  }
  return { ...cells, active, view, pages, productAt, press, choose, show }
}

export type Grid = ReturnType<typeof useGrid>
