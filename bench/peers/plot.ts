/**
 * `node bench/peers/plot.ts`: the figures of the last run as docs/images/peers.svg, bars relative to the greatest
 * value of each row. No script in it and nothing from the net.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Spread } from '@merx/load/spread'
import { PEERS_FOLDER, ROOT } from './surroundings.ts'

/** One thing that was measured. */
export interface Row {
  readonly name: string
  readonly unit: string
  readonly isMoreBetter: boolean
  /** By the name of the system. */
  readonly values: Readonly<Record<string, Spread>>
}

export interface PeerFigures {
  readonly measuredAt: string
  readonly products: number
  readonly rows: readonly Row[]
}

const WIDTH = 760
const LEFT = 190
const BAR = 13
const GAP = 16
const TOP = 48
const COLORS = ['#1f6f8b', '#c98b2c', '#8a8f98'] as const

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const text = (x: number, y: number, content: string, anchor: 'start' | 'end' = 'start'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#333" font-size="11" font-family="sans-serif">${escapeText(content)}</text>`

const short = (value: number): string => Number(value.toPrecision(3)).toString()

/** Whiskers show the range of the rounds. */
const bar = (row: Row, name: string, at: number, y: number): string => {
  const spread = row.values[name]
  if (spread === undefined) return ''
  const most = Math.max(...Object.values(row.values).map(({ max }) => max))
  const scale = (value: number): number => (value / most) * (WIDTH - LEFT - 130)
  const middle = y + BAR / 2 - 1
  return [
    `<rect x="${LEFT}" y="${y}" width="${scale(spread.median).toFixed(1)}" height="${BAR - 2}" fill="${COLORS[at] ?? '#555'}"/>`,
    `<line x1="${(LEFT + scale(spread.min)).toFixed(1)}" x2="${(LEFT + scale(spread.max)).toFixed(1)}" y1="${middle}" y2="${middle}" stroke="#111"/>`,
    text(LEFT + scale(spread.max) + 6, y + BAR - 3, `${short(spread.median)} ${row.unit}`),
  ].join('')
}

export const renderPeers = ({ products, rows }: PeerFigures): string => {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))]
  const rowHeight = names.length * BAR + GAP
  const height = TOP + rows.length * rowHeight
  const legend = names.map((name, at) => {
    const x = LEFT + at * 110
    return `<rect x="${x}" y="24" width="11" height="11" fill="${COLORS[at] ?? '#555'}"/>${text(x + 16, 34, name)}`
  })
  const groups = rows.map((row, index) => {
    const y = TOP + index * rowHeight
    const direction = row.isMoreBetter ? 'more is better' : 'less is better'
    return [
      text(LEFT - 8, y + BAR, row.name, 'end'),
      text(LEFT - 8, y + 2 * BAR, direction, 'end'),
      ...names.map((name, at) => bar(row, name, at, y + at * BAR)),
    ].join('')
  })
  const title = `Side by side with ${products.toLocaleString('en')} products`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    text(8, 16, `${title}: medians with the range of the rounds`),
    ...legend,
    ...groups,
    '</svg>\n',
  ].join('')
}

if (import.meta.main) {
  const figures = JSON.parse(readFileSync(path.join(PEERS_FOLDER, 'figures.json'), 'utf8')) as PeerFigures
  const shown = figures.rows.filter(({ name }) => !/processor time|of PostgreSQL|median|size/.test(name))
  writeFileSync(path.join(ROOT, 'docs', 'images', 'peers.svg'), renderPeers({ ...figures, rows: shown }))
}
