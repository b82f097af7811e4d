/** What a key means in the grid, as in spreadsheets and the ARIA pattern of grids. */

export interface Place {
  readonly row: number
  readonly column: number
}

export interface GridSize {
  readonly rows: number
  readonly columns: number
  /** Rows that are seen at once. */
  readonly page: number
  readonly isRightToLeft: boolean
}

export interface KeyPressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

export type GridAction =
  | { readonly kind: 'move'; readonly to: Place }
  /** With the text that replaces what is there, or what is there when undefined. */
  | { readonly kind: 'edit'; readonly text?: string }

const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1))

const within = ({ row, column }: Place, { rows, columns }: GridSize): Place => ({
  row: clamp(row, rows),
  column: clamp(column, columns),
})

type Step = (at: Place, size: GridSize) => Place

const across =
  (step: number): Step =>
  ({ row, column }, { isRightToLeft }) => ({ row, column: column + (isRightToLeft ? -step : step) })

const down =
  (step: number): Step =>
  ({ row, column }) => ({ row: row + step, column })

const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: down(1),
  ArrowUp: down(-1),
  ArrowRight: across(1),
  ArrowLeft: across(-1),
  PageDown: ({ row, column }, { page }) => ({ row: row + page, column }),
  PageUp: ({ row, column }, { page }) => ({ row: row - page, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { columns }) => ({ row, column: columns - 1 }),
}

const FAR: Readonly<Record<string, Step>> = {
  Home: () => ({ row: 0, column: 0 }),
  End: (_at, { rows, columns }) => ({ row: rows - 1, column: columns - 1 }),
  ArrowDown: ({ column }, { rows }) => ({ row: rows - 1, column }),
  ArrowUp: ({ column }) => ({ row: 0, column }),
}

/** While a cell is chosen and not edited. */
export const gridAction = (pressed: KeyPressed, at: Place, size: GridSize): GridAction | undefined => {
  const { key, ctrlKey, metaKey, altKey } = pressed
  if (altKey) return undefined
  const step = (ctrlKey || metaKey ? FAR : STEPS)[key]
  if (step !== undefined) return { kind: 'move', to: within(step(at, size), size) }
  if (ctrlKey || metaKey) return undefined
  if (key === 'Enter' || key === 'F2') return { kind: 'edit' }
  return key.length === 1 && key !== ' ' ? { kind: 'edit', text: key } : undefined
}

/** Where the next cell is after one was edited: below after Enter, beside after Tab; undefined for keys that go on editing. */
export const placeAfterEdit = (pressed: KeyPressed, at: Place, size: GridSize): Place | undefined => {
  const { key, shiftKey } = pressed
  const step = shiftKey ? -1 : 1
  if (key === 'Enter') return within(down(step)(at, size), size)
  // The order of reading, which right to left has in the columns already.
  return key === 'Tab' ? within({ row: at.row, column: at.column + step }, size) : undefined
}
