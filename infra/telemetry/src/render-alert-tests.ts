/** The cases of the alerts as `promtool test rules` reads them. */
import { stringify } from 'yaml'
import type { AlertCases, Series } from './alert-case.ts'
import { alertCases } from './alert-cases.ts'
import { alerts, pageOf, type Alert } from './alerts.ts'

const STEP_SECONDS = 15

const seriesOf = (series: Series) =>
  Object.entries(series).map(([selector, values]) => ({ series: selector, values }))

const casesOf = ({ name }: Alert): AlertCases => {
  const cases = alertCases[name]
  if (cases === undefined) throw new Error(`alert ${name} has no cases in alert-cases.ts`)
  return cases
}

const group = (name: string, series: Series, tests: readonly object[]) => ({
  name,
  interval: `${STEP_SECONDS}s`,
  input_series: seriesOf(series),
  alert_rule_test: tests,
})

const nobody = (alertname: string, seconds: number) => ({
  eval_time: `${seconds}s`,
  alertname,
  exp_alerts: [],
})

/** What it should say, and that it says nothing one step before it can have held long enough. */
const firingTests = (alert: Alert, { fires }: AlertCases): readonly object[] =>
  fires.map(({ series, afterMinutes, labels, summary }, at) =>
    group(`${alert.name} fires (${at + 1})`, series, [
      ...(alert.for === '0m' ? [] : [nobody(alert.name, Number.parseInt(alert.for) * 60 - STEP_SECONDS)]),
      {
        eval_time: `${afterMinutes}m`,
        alertname: alert.name,
        exp_alerts: [
          {
            exp_labels: { ...labels, severity: alert.severity },
            exp_annotations: { summary, runbook: `docs/runbooks/${pageOf(alert)}.md` },
          },
        ],
      },
    ]),
  )

const quietTests = ({ name }: Alert, { quiet }: AlertCases): readonly object[] =>
  quiet.map(({ because, series, afterMinutes }) =>
    group(`${name} is quiet: ${because}`, series, [nobody(name, afterMinutes * 60)]),
  )

/** @param rules path of the rule file, seen from the file that this is written to */
export const renderAlertTests = (rules: string, of: readonly Alert[] = alerts): string =>
  stringify(
    {
      rule_files: [rules],
      evaluation_interval: `${STEP_SECONDS}s`,
      tests: of.flatMap((alert) => {
        const cases = casesOf(alert)
        return [...firingTests(alert, cases), ...quietTests(alert, cases)]
      }),
    },
    { lineWidth: 0 },
  )
