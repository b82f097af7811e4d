/** A comparison as a table: medians of the rounds, ratios with their range. */
import type { ComparedAlternative, Comparison } from './compare.ts'
import type { Table } from './markdown-table.ts'
import type { Spread } from './spread.ts'

const BYTES_PER_MB = 1_048_576

const milliseconds = ({ median }: Spread): string => median.toFixed(median < 10 ? 2 : 0)

const ratioText = ({ median, min, max }: Spread): string =>
  `${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`

const verdict = ({ ratioMin, isMet }: ComparedAlternative): string =>
  ratioMin === undefined ? '' : `≥ ${ratioMin.toFixed(2)} ${isMet ? 'met' : 'MISSED'}`

/** The first row is the reference. */
export const toTable = ({ alternatives }: Comparison): Table => ({
  columns: [
    '',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU ms/request',
    'lag p99 ms',
    'RSS MB',
    'ratio',
    'threshold',
  ],
  rows: alternatives.map((each) => [
    each.name,
    Math.round(each.requestsPerSecond.median).toString(),
    milliseconds(each.p50Ms),
    milliseconds(each.p99Ms),
    each.cpuMsPerRequest.median.toFixed(3),
    milliseconds(each.lagP99Ms),
    Math.round(each.rssBytes.median / BYTES_PER_MB).toString(),
    ratioText(each.ratio),
    verdict(each),
  ]),
})
