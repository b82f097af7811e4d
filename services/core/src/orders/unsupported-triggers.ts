import type { Rule } from '@merx/jsonapi/rules'

/** Triggers that start a workflow: name → what it carries, and whether a sales channel may never send it. */
export const WORKFLOW_TRIGGERS = {
  _commit_invoice: {},
  _refund_invoice: {},
} as const satisfies Readonly<
  Record<string, { readonly carries?: 'text' | 'integer'; readonly prohibited?: boolean }>
>

/** Members of an order that only a workflow can change. */
export const LEFT_TO_WORKFLOWS: readonly string[] = Object.keys(WORKFLOW_TRIGGERS)

/** An order whose states leave out something it has would be wrong, so what leads there is refused. */
export const needsOrderWorkflow: Rule = ({ sent, writer }) => {
  const names = writer.isImport === true ? [] : LEFT_TO_WORKFLOWS.filter((name) => sent.has(name))
  if (names.length === 0) return {}
  const message = 'cannot be done to an order yet'
  return {
    violations: names.map((attribute) => ({ at: { attribute }, error: 'not_supported', message })),
  }
}
