/** The grid of products: prices and quantities of any number of SKUs, edited in their cells. */
import { useTable, type ReactTable } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'
import { Problems } from '../parts/problems.tsx'
import type { Column } from './columns.ts'
import {
  Cell,
  features,
  GridContext,
  STICKY,
  useGridContext,
  useTableColumns,
  widthOf,
  type GridRow,
} from './product-cells.tsx'
import { RefusedEdits } from './refused-edits.tsx'
import { editKey } from './use-edits.ts'
import { cellId, HEAD_PX, PART_ROWS, ROW_PX } from './use-grid-rows.ts'
import { NAME_COLUMNS, useGrid, type Grid, type GridProps } from './use-grid.ts'

interface RowProps {
  readonly top: number
  readonly row: GridRow
  readonly columns: readonly Column[]
  readonly children: readonly ReactNode[]
}

/** Above the next one where it says what was refused. */
const Row = ({ top, row, columns, children }: RowProps) => {
  const { edits, active } = useGridContext()
  const { product } = row
  const isRefused =
    product !== undefined && columns.some((column) => edits[editKey(product, column)]?.problem !== undefined)
  const layer = isRefused ? 'z-20' : active.row === row.index ? 'z-10' : ''
  return (
    <div
      role="row"
      aria-rowindex={row.index + 2}
      aria-busy={product === undefined}
      className={`absolute inset-x-0 top-0 flex bg-card hover:bg-ground ${layer}`}
      style={{ height: ROW_PX, transform: `translateY(${top}px)` }}
    >
      {children}
    </div>
  )
}

const Parts = ({ count, grid }: { readonly count: number; readonly grid: Grid }) => {
  const parts = Math.ceil(count / PART_ROWS)
  if (parts < 2) return null
  const { start, setPart, element } = grid.view
  return (
    <label className="flex items-center gap-2 text-soft">
      {t('Rows')}
      <select
        className="control"
        value={start / PART_ROWS}
        onChange={({ target }) => {
          setPart(Number(target.value))
          element.current?.scrollTo({ top: 0 })
        }}
      >
        {Array.from({ length: parts }, (_, part) => (
          <option key={part} value={part}>
            {t('{first} to {last}', {
              first: formatCount(part * PART_ROWS + 1),
              last: formatCount(Math.min((part + 1) * PART_ROWS, count)),
            })}
          </option>
        ))}
      </select>
    </label>
  )
}

const Unread = ({ grid: { pages } }: { readonly grid: Grid }) =>
  pages.error === null ? null : (
    <div className="flex flex-col items-start gap-2">
      <Problems error={pages.error} />
      <button type="button" className="button" onClick={pages.readAgain}>
        {t('Try again')}
      </button>
    </div>
  )

type GridTable = ReactTable<typeof features, GridRow>

const HeadRow = ({ table }: { readonly table: GridTable }) =>
  table.getHeaderGroups().map((group) => (
    <div key={group.id} role="row" aria-rowindex={1} className="flex bg-card" style={{ height: HEAD_PX }}>
      {group.headers.map((header, at) => (
        <div
          key={header.id}
          role="columnheader"
          aria-colindex={at + 1}
          className={`flex-none overflow-hidden px-2 py-1.5 text-sm font-semibold text-soft ${at < NAME_COLUMNS ? '' : 'text-end'} ${at === 0 ? STICKY : ''}`}
          style={{ width: widthOf(at) }}
        >
          <table.FlexRender header={header} />
        </div>
      ))}
    </div>
  ))

export const ProductGrid = (props: GridProps) => {
  const { columns, count } = props
  const grid = useGrid(props)
  const { view, active, productAt } = grid
  const items = view.rows.getVirtualItems()
  const data = items.map(({ index }) => ({
    index: view.start + index,
    product: productAt(view.start + index),
  }))
  const table = useTable({
    ...{ features, columns: useTableColumns(columns), data, getRowId: ({ index }: GridRow) => String(index) },
  })
  const width = columns.reduce((sum) => sum + widthOf(NAME_COLUMNS), widthOf(0) + widthOf(1))
  const isSeen = data.some(({ index }) => index === active.row)
  return (
    <GridContext value={grid}>
      <Parts count={count} grid={grid} />
      <RefusedEdits edits={grid.edits} onShow={grid.show} onDiscard={grid.discard} />
      <Unread grid={grid} />
      <p role="status" className="sr-only">
        {grid.saved}
      </p>
      <div
        ref={view.element}
        role="grid"
        tabIndex={0}
        aria-label={t('Products')}
        aria-rowcount={count + 1}
        aria-colcount={columns.length + NAME_COLUMNS}
        aria-activedescendant={isSeen ? cellId(active) : undefined}
        className="card relative h-[max(20rem,calc(100dvh-16rem))] overflow-auto p-0 sm:scroll-ps-[232px]"
        style={{ scrollPaddingTop: HEAD_PX }}
        onKeyDown={grid.press}
      >
        <div role="rowgroup" className="sticky top-0 z-30 border-b border-line" style={{ width }}>
          <HeadRow table={table} />
        </div>
        <div role="rowgroup" className="relative" style={{ height: view.rows.getTotalSize(), width }}>
          {table.getRowModel().rows.map((row, line) => (
            <Row key={row.id} top={(items[line]?.start ?? 0) - HEAD_PX} row={row.original} columns={columns}>
              {row.getAllCells().map((cell, at) => (
                <Cell key={cell.id} row={row.original} at={at} column={columns[at - NAME_COLUMNS]}>
                  <table.FlexRender cell={cell} />
                </Cell>
              ))}
            </Row>
          ))}
        </div>
      </div>
    </GridContext>
  )
}
