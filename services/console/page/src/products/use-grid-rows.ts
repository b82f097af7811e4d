/** The rows of the grid that are seen, and the way to any other. */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Place } from './grid-keys.ts'

export const ROW_PX = 36
export const HEAD_PX = 56
/** Browsers cut what is higher than some 17 million pixels: more rows are shown in parts. */
export const PART_ROWS = 400_000
const OVERSCAN = 5

export const cellId = ({ row, column }: Place): string => `cell-${row}-${column}`

/** @param edited the row that must stay although it is scrolled away, or nothing */
export const useGridRows = (count: number, edited: number | undefined) => {
  const element = useRef<HTMLDivElement>(null)
  const wanted = useRef<Place>(undefined)
  const [part, setPart] = useState(0)
  const start = Math.min(part, Math.max(Math.ceil(count / PART_ROWS) - 1, 0)) * PART_ROWS
  const rows = useVirtualizer({
    count: Math.min(count - start, PART_ROWS),
    getScrollElement: () => element.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    rangeExtractor: (range) => {
      const kept = edited === undefined ? -1 : edited - start
      const isInPart = kept >= 0 && kept < range.count
      return [...new Set([...defaultRangeExtractor(range), ...(isInPart ? [kept] : [])])]
    },
  })
  const { range } = rows
  useEffect(() => {
    const place = wanted.current
    if (place === undefined) return
    // Of another part: that it has its rows now.
    if (place.row < start || place.row >= start + PART_ROWS) return
    const cell = document.getElementById(cellId(place))
    if (cell === null) {
      rows.scrollToIndex(place.row - start)
      return
    }
    wanted.current = undefined
    cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })
  /** Shows a cell; far away its row is there a moment later. */
  const scrollTo = useCallback((place: Place) => {
    wanted.current = place
    setPart(Math.floor(place.row / PART_ROWS))
    element.current?.focus({ preventScroll: true })
  }, [])
  return {
    element,
    rows,
    start,
    setPart,
    scrollTo,
    first: start + Math.max((range?.startIndex ?? 0) - OVERSCAN, 0),
    last: Math.min(start + (range?.endIndex ?? 0) + OVERSCAN, count - 1),
  }
}
