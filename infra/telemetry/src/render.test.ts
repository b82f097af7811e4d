import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { alertCases } from './alert-cases.ts'
import { alerts, pageOf } from './alerts.ts'
import { dashboards } from './dashboards.ts'
import { readPromql } from './read-promql.ts'
import { rendered } from './render.ts'

const FOLDER = path.resolve(import.meta.dirname, '..')
const RUNBOOKS = path.resolve(FOLDER, '../../docs/runbooks')
const HEADINGS = ['## What it means', '## How to see', '## What to do']

const expressions = dashboards.flatMap(({ service, panels }) =>
  panels.flatMap(({ title, lines }) => lines.map(([expression]) => [`${service}: ${title}`, expression])),
)

describe('what is generated', () => {
  it.each(rendered())('%s says what the source says today; else run npm run gen', (file, text) => {
    expect(readFileSync(path.join(FOLDER, file), 'utf8')).toBe(text)
  })
})

describe('an alert', () => {
  it.each(alerts.map((alert) => [alert.name, alert]))('%s has a page that says what to do', (name, alert) => {
    const page = readFileSync(path.join(RUNBOOKS, `${pageOf(alert)}.md`), 'utf8')
    expect(page.startsWith(`# ${name}\n`)).toBe(true)
    for (const heading of HEADINGS) expect(page).toContain(`\n${heading}\n`)
    expect(page).toContain(alert.severity)
  })

  it.each(alerts.map(({ name, expression }) => [name, expression]))(
    '%s asks in PromQL',
    (_name, expression) => {
      expect(readPromql(expression).selections.length).toBeGreaterThan(0)
    },
  )

  it.each(alerts.map(({ name, expression }) => [name, expression]))(
    '%s is tried on series that call and on series that do not, of the metrics that it asks for',
    (name, expression) => {
      const { fires = [], quiet = [] } = alertCases[name] ?? {}
      expect(Math.min(fires.length, quiet.length)).toBeGreaterThan(0)
      const known = new Set(['up', ...readPromql(expression).selections.map(({ metric }) => metric)])
      const tried = [...fires, ...quiet].flatMap(({ series }) => Object.keys(series))
      expect(tried.filter((selector) => !known.has(selector.replace(/\{.*/, '')))).toEqual([])
    },
  )

  it('has a name of its own, and no page is left without an alert', () => {
    const pages = alerts.map(pageOf).toSorted()
    expect(new Set(pages).size).toBe(pages.length)
    expect(
      readdirSync(RUNBOOKS)
        .map((file) => path.basename(file, '.md'))
        .toSorted(),
    ).toEqual(pages)
  })
})

describe('a dashboard', () => {
  it.each(expressions)('%s asks in PromQL', (_title, expression = '') => {
    expect(readPromql(expression).selections.length).toBeGreaterThan(0)
  })
})

describe('readPromql', () => {
  it('finds metrics, their labels and what is grouped by', () => {
    expect(
      readPromql('sum by (job, le) (rate(x_total{a="b", c=~"d"}[$__rate_interval])) / y > 0.01'),
    ).toEqual({
      selections: [
        { metric: 'x_total', labels: ['a', 'c'] },
        { metric: 'y', labels: [] },
      ],
      grouping: ['job', 'le'],
    })
  })

  it.each(['sum by (', 'rate(x[)', '{a="b"', 'x ++'])('refuses %s', (expression) => {
    expect(() => readPromql(expression)).toThrow('not PromQL')
  })
})

const read = (file: string): unknown => parse(readFileSync(path.join(FOLDER, file), 'utf8'))

describe('the collector', () => {
  it('takes OTLP over HTTP where the services send it, and only pipelines of parts that are there', () => {
    const config = read('collector.yaml') as {
      receivers: { otlp: { protocols: { http: { endpoint: string } } } }
      service: { pipelines: Record<string, Record<'receivers' | 'processors' | 'exporters', string[]>> }
    } & Record<string, Record<string, unknown>>
    expect(config.receivers.otlp.protocols.http.endpoint).toBe('0.0.0.0:4318')
    for (const pipeline of Object.values(config.service.pipelines)) {
      for (const [kind, names] of Object.entries(pipeline)) {
        expect(Object.keys(config[kind] ?? {})).toEqual(expect.arrayContaining(names))
      }
    }
  })

  it('and Prometheus ask the internal listener of every service', () => {
    const { scrape_configs: jobs } = read('prometheus.yaml') as {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
    }
    expect(jobs.map(({ job_name: job, static_configs: [first] }) => [job, first?.targets])).toEqual([
      ['auth', ['auth:3101']],
      ['core', ['core:3102']],
      ['metrics', ['metrics:3103']],
      ['console', ['console:3104']],
    ])
  })
})
