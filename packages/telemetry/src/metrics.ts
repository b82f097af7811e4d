/**
 * Counters and histograms that cost some nanoseconds: a series is found once, and adding to it adds to a number of its
 * own, because a request of auth may take some thirty microseconds in all (docs/adr/0037). At a scrape,
 * prometheus-text.ts gives what is here to OpenTelemetry's serializer.
 */

/** Values of a metric's labels, in the order of its `labels`. */
export type LabelValues = readonly string[]

/** One line of a counter. */
export interface CounterSeries {
  add(count?: number): void
}

/** One line of a histogram. */
export interface HistogramSeries {
  record(value: number): void
}

/** Series of one name; `of` gives the same one for the same values. Bind it once where a request passes often. */
export interface Instrument<Series> {
  of(...values: LabelValues): Series
}

/** `name` without `_total`, which counters get; `labels` are the names of the labels. */
export interface Definition {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** `bounds` are upper bounds in rising order, in the unit that the name ends with. */
export interface HistogramDefinition extends Definition {
  readonly bounds: readonly number[]
}

/** What a gauge shows now: one value, or one for each combination of labels. */
export type Reading = number | undefined | Iterable<readonly [LabelValues, number]>

/** Read at each scrape. One that throws is left out of that scrape and counted in `merx_metrics_failures_total`. */
export interface GaugeDefinition extends Definition {
  readonly read: () => Reading | Promise<Reading>
  /** Shown as a counter: it never falls while the process lives. */
  readonly isCounter?: boolean
}

/** A point in time of one series. */
export interface CounterPoint {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** `counts` has one more entry than there are bounds: what is above the last. */
export interface HistogramPoint {
  readonly labels: Readonly<Record<string, string>>
  readonly counts: readonly number[]
  readonly sum: number
}

/** Everything of one name, as it is now. */
export type Family = { readonly name: string; readonly help: string } & (
  | { readonly kind: 'counter' | 'gauge'; readonly points: readonly CounterPoint[] }
  | {
      readonly kind: 'histogram'
      readonly bounds: readonly number[]
      readonly points: readonly HistogramPoint[]
    }
)

/** The metrics of one service. */
export interface Metrics {
  readonly service: string
  counter(definition: Definition): Instrument<CounterSeries>
  histogram(definition: HistogramDefinition): Instrument<HistogramSeries>
  /** Defined again, the later one is read. @returns what takes it away, if it is still this one */
  gauge(definition: GaugeDefinition): () => void
  collect(): Promise<readonly Family[]>
}

/** More combinations of labels than this are counted as `other`, so that no caller can fill the memory. */
export const SERIES_MAX = 1_000
const OTHER = 'other'

const NAME = /^[a-z][a-z\d]*(_[a-z\d]+)*$/

const requireName = ({ name, labels = [] }: Definition): void => {
  for (const text of [name, ...labels]) {
    if (!NAME.test(text)) throw new RangeError(`a metric or label is named in lower_snake_case; got ${text}`)
  }
}

const labelsOf = (names: readonly string[], values: LabelValues): Record<string, string> => {
  if (values.length !== names.length) {
    throw new RangeError(`${names.length} labels (${names.join(', ')}), but ${values.length} values`)
  }
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']))
}

/** Series by their label values; beyond the bound, one for all the rest. */
const createInstrument = <Series>(names: readonly string[], create: (values: LabelValues) => Series) => {
  const all = new Map<string, Series>()
  const find = (values: LabelValues): Series => {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\0')
    const known = all.get(key)
    if (known !== undefined) return known
    if (all.size >= SERIES_MAX && values.some((value) => value !== OTHER)) return find(names.map(() => OTHER))
    const made = create(values)
    all.set(key, made)
    return made
  }
  return { of: (...values: LabelValues) => find(values), all: (): Iterable<Series> => all.values() }
}

class Count implements CounterSeries {
  value = 0
  readonly labels: Readonly<Record<string, string>>
  constructor(labels: Readonly<Record<string, string>>) {
    this.labels = labels
  }
  add(count = 1): void {
    this.value += count
  }
}

class Distribution implements HistogramSeries {
  sum = 0
  readonly labels: Readonly<Record<string, string>>
  readonly counts: Float64Array
  readonly #bounds: readonly number[]
  constructor(labels: Readonly<Record<string, string>>, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }
  record(value: number): void {
    const bounds = this.#bounds
    let index = 0
    while (index < bounds.length && value > (bounds[index] as number)) index += 1
    this.counts[index] = (this.counts[index] as number) + 1
    this.sum += value
  }
}

const readGauge = async ({
  name,
  help,
  labels = [],
  read,
  isCounter = false,
}: GaugeDefinition): Promise<Family> => {
  const kind = isCounter ? 'counter' : 'gauge'
  const reading = await read()
  if (reading === undefined) return { name, help, kind, points: [] }
  if (typeof reading === 'number') return { name, help, kind, points: [{ labels: {}, value: reading }] }
  const points = Array.from(reading, ([values, value]) => ({ labels: labelsOf(labels, values), value }))
  return { name, help, kind, points }
}

type Collect = () => Family | Promise<Family>

/** What cannot be read must not hide the rest. */
const collectAll = async (
  families: ReadonlyMap<string, Collect>,
  failed: Instrument<CounterSeries>,
): Promise<readonly Family[]> => {
  const found: Family[] = []
  for (const [name, collect] of families) {
    try {
      found.push(await collect())
    } catch {
      failed.of(name).add() // shown at the next scrape, and an alert asks for it
    }
  }
  return found
}

/**
 * Metrics of one service; each name is defined once.
 *
 *     const issued = metrics.counter({ name: 'merx_tokens_issued', help: 'Tokens given out.', labels: ['grant'] })
 *     const passwords = issued.of('password') // once
 *     passwords.add()                         // each time
 */
export const createMetrics = (service: string): Metrics => {
  const families = new Map<string, Collect>()
  const define = (definition: Definition, collect: Collect): void => {
    requireName(definition)
    if (families.has(definition.name)) throw new Error(`the metric ${definition.name} is defined twice`)
    families.set(definition.name, collect)
  }
  const counter: Metrics['counter'] = (definition) => {
    const { name, help, labels = [] } = definition
    const series = createInstrument(labels, (values) => new Count(labelsOf(labels, values)))
    define(definition, () => ({
      ...{ name, help, kind: 'counter' },
      points: Array.from(series.all(), (count) => ({ labels: count.labels, value: count.value })),
    }))
    return series
  }
  const failed = counter({
    name: 'merx_metrics_failures',
    help: 'Metrics that could not be read at a scrape, by name.',
    labels: ['metric'],
  })
  return {
    service,
    counter,
    histogram: (definition) => {
      const { name, help, labels = [], bounds } = definition
      const series = createInstrument(labels, (values) => new Distribution(labelsOf(labels, values), bounds))
      define(definition, () => ({
        ...{ name, help, kind: 'histogram', bounds },
        points: Array.from(series.all(), ({ labels: own, counts, sum }) => ({
          ...{ labels: own, sum },
          counts: Array.from(counts),
        })),
      }))
      return series
    },
    gauge: (definition) => {
      requireName(definition)
      const collect = () => readGauge(definition)
      families.set(definition.name, collect)
      return () => {
        if (families.get(definition.name) === collect) families.delete(definition.name)
      }
    },
    collect: () => collectAll(families, failed),
  }
}

const registries = new Map<string, Metrics>()

/**
 * The metrics of a service of this process. Like OpenTelemetry's own registries they are the process's: what counts
 * asks for them by name, where it is defined, and needs no thread through every constructor.
 */
export const metricsOf = (service: string): Metrics => {
  const known = registries.get(service)
  if (known !== undefined) return known
  const made = createMetrics(service)
  registries.set(service, made)
  return made
}

let isOn = false

/** Whether requests are measured and /metrics is served; startTelemetry says so, once. */
export const areMetricsOn = (): boolean => isOn

/** Called by startTelemetry, before applications are made. */
export const switchMetrics = (on: boolean): void => {
  isOn = on
}
