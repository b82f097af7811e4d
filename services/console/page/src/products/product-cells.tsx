/** The cells of the grid of products: what they show, and how they are edited. */
import { Link } from '@tanstack/react-router'
import { createColumnHelper, tableFeatures } from '@tanstack/react-table'
import { createContext, useContext, useMemo, type ReactNode } from 'react'
import { t } from '../language/text.ts'
import { formatValue, type Column } from './columns.ts'
import type { Product } from './read-products.ts'
import { editKey } from './use-edits.ts'
import { cellId } from './use-grid-rows.ts'
import type { Grid } from './use-grid.ts'

export interface GridRow {
  readonly index: number
  readonly product: Product | undefined
}

export const features = tableFeatures({})
const helper = createColumnHelper<typeof features, GridRow>()

/** Cells are made from columns, which do not change with what is chosen in the grid. */
export const GridContext = createContext<Grid | undefined>(undefined)

export const useGridContext = (): Grid => {
  const grid = useContext(GridContext)
  if (grid === undefined) throw new Error('a cell is outside of its grid')
  return grid
}

const Head = ({ name, detail = '' }: { readonly name: string; readonly detail?: string }) => (
  <span className="block min-w-0" title={`${name} ${detail}`}>
    <span className="block truncate">{name}</span>
    <span className="block truncate font-normal">{detail}</span>
  </span>
)

const CodeCell = ({ product }: { readonly product: Product }) => (
  <Link
    to="/products/$id"
    params={{ id: product.id }}
    tabIndex={-1}
    className="block truncate underline underline-offset-2"
    dir="auto"
    title={product.code}
  >
    {product.code}
  </Link>
)

const NameCell = ({ product }: { readonly product: Product }) => (
  <span className="block truncate" dir="auto" title={product.name}>
    {product.name}
  </span>
)

const Editor = ({ grid, label }: { readonly grid: Grid; readonly label: string }) => (
  <input
    ref={grid.editor}
    type="text"
    inputMode="decimal"
    autoComplete="off"
    autoFocus
    aria-label={label}
    className="number block h-full w-full min-w-0 bg-card px-1 outline-none"
    defaultValue={grid.editing?.text}
    onFocus={({ target }) => {
      if (grid.editing?.isWhole === true) target.select()
    }}
    onBlur={grid.finish}
  />
)

interface ValueCellProps {
  readonly row: GridRow & { readonly product: Product }
  readonly column: Column
}

const ValueCell = ({ row: { index, product }, column }: ValueCellProps) => {
  const grid = useGridContext()
  const { editing } = grid
  const edit = grid.edits[editKey(product, column)]
  const value = product.values[column.key]
  if (editing?.place.row === index && editing.column.key === column.key)
    return <Editor grid={grid} label={t('{column} of {code}', { column: column.name, code: product.code })} />
  return (
    <>
      <span className={`block truncate ${edit === undefined ? '' : 'italic'}`}>
        {edit?.text ?? (value === undefined ? '–' : formatValue(column, value.value))}
        {edit !== undefined && edit.problem === undefined ? ' …' : null}
      </span>
      {edit?.problem === undefined ? null : (
        <span
          id={`${cellId({ row: index, column: 0 })}-${column.key}`}
          className={`absolute end-0 w-60 rounded-lg border border-bad bg-bad-ground px-2 py-1 text-start text-sm whitespace-normal text-bad ${index === 0 ? 'top-full' : 'bottom-full'}`}
          dir="auto"
        >
          {edit.problem}
        </span>
      )}
    </>
  )
}

export const useTableColumns = (columns: readonly Column[]) =>
  useMemo(
    () =>
      helper.columns([
        helper.display({
          id: 'code',
          header: () => <Head name={t('Code')} />,
          cell: ({ row: { original } }) =>
            original.product === undefined ? '…' : <CodeCell product={original.product} />,
        }),
        helper.display({
          id: 'name',
          header: () => <Head name={t('Name')} />,
          cell: ({ row: { original } }) =>
            original.product === undefined ? '…' : <NameCell product={original.product} />,
        }),
        ...columns.map((column) =>
          helper.display({
            id: column.key,
            header: () => <Head name={column.name} detail={column.detail} />,
            cell: ({ row: { original } }) =>
              original.product === undefined ? (
                '…'
              ) : (
                <ValueCell row={{ ...original, product: original.product }} column={column} />
              ),
          }),
        ),
      ]),
    [columns],
  )

interface CellProps {
  readonly row: GridRow
  readonly at: number
  readonly column: Column | undefined
  readonly children: ReactNode
}

/** Pixels: of the code, of the name, of each value. */
export const widthOf = (at: number): number => [232, 220][at] ?? 132

/** The code stays while the columns are scrolled. */
export const STICKY = 'sm:sticky sm:start-0 sm:z-10 bg-inherit'

export const Cell = ({ row: { index, product }, at, column, children }: CellProps) => {
  const grid = useGridContext()
  const place = { row: index, column: at }
  const isActive = grid.active.row === index && grid.active.column === at
  const edit =
    product === undefined || column === undefined ? undefined : grid.edits[editKey(product, column)]
  const isRefused = edit?.problem !== undefined
  const layout = column === undefined ? '' : 'number'
  const colours = isRefused ? 'bg-bad-ground text-bad' : ''
  return (
    <div
      role="gridcell"
      id={cellId(place)}
      aria-colindex={at + 1}
      aria-selected={isActive}
      aria-readonly={!grid.mayEdit(product, column)}
      aria-invalid={isRefused}
      aria-describedby={
        isRefused && column !== undefined ? `${cellId({ row: index, column: 0 })}-${column.key}` : undefined
      }
      className={`relative flex-none border-t border-line px-2 py-1.5 ${layout} ${colours} ${at === 0 ? STICKY : ''} ${isActive ? 'outline-2 -outline-offset-2 outline-[var(--focus)]' : ''}`}
      style={{ width: widthOf(at) }}
      onClick={() => grid.choose(place)}
    >
      {children}
    </div>
  )
}
