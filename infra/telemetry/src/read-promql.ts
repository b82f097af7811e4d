/** The metrics and labels of a PromQL expression, by Prometheus's own grammar. */
import type { SyntaxNode } from '@lezer/common'
import { parser } from '@prometheus-io/lezer-promql'

/** A metric and the labels that the expression names next to it. */
export interface Selection {
  readonly metric: string
  readonly labels: readonly string[]
}

export interface ReadExpression {
  readonly selections: readonly Selection[]
  /** Labels of `by (…)`, which every metric below should have. */
  readonly grouping: readonly string[]
}

/** Grafana fills these in; any duration will do for reading. */
const withoutVariables = (expression: string): string => expression.replaceAll('$__rate_interval', '5m')

const childrenNamed = (node: SyntaxNode, name: string, text: string): string[] => {
  const found: string[] = []
  node.cursor().iterate((child) => {
    if (child.name === name) found.push(text.slice(child.from, child.to))
  })
  return found
}

/** @throws Error naming where the expression is not PromQL */
export const readPromql = (expression: string): ReadExpression => {
  const text = withoutVariables(expression)
  const selections: Selection[] = []
  const grouping: string[] = []
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`not PromQL at "${text.slice(from, to + 20)}": ${text}`)
      if (type.name === 'VectorSelector') {
        const [metric = ''] = childrenNamed(node, 'Identifier', text)
        selections.push({ metric, labels: childrenNamed(node, 'LabelName', text) })
      }
      if (type.name === 'GroupingLabels') grouping.push(...childrenNamed(node, 'LabelName', text))
    },
  })
  return { selections, grouping }
}
