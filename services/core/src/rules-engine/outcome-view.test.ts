import type { RuleOutcome } from './ask-rules.ts'
import { outcomeView } from './outcome-view.ts'
import type { Action, Condition } from './rules.ts'

const hat = { type: 'line_items', id: 'hat' }
const action: Action = { type: 'percentage', selector: 'order.line_items', value: 0.1 }
const condition: Condition = { field: 'order.line_items.quantity', matcher: 'gt', value: 1, group: 'some' }

const outcome = (more: Partial<RuleOutcome> = {}): RuleOutcome => ({
  rule: { name: 'A rule', conditions: [condition], actions: [action] },
  isMet: true,
  conditions: [{ condition, isMet: true, facts: [{ value: 2, chain: [{}, hat] }], nestedGroups: [] }],
  actions: [{ action, lines: [{ line: hat, units: 2 }], intervalCents: 0 }],
  ...more,
})

test('shows which rules and conditions are met, by what, and whom the actions are for', () => {
  expect(outcomeView([outcome()])).toEqual({
    match: true,
    rules: [
      {
        name: 'A rule',
        match: true,
        conditions: [
          {
            field: 'order.line_items.quantity',
            matcher: 'gt',
            group: 'some',
            match: true,
            matches: [{ type: 'line_items', id: 'hat', value: 2 }],
          },
        ],
        actions: [
          {
            type: 'percentage',
            selector: 'order.line_items',
            resources: [{ type: 'line_items', id: 'hat', quantity: 2 }],
          },
        ],
      },
    ],
  })
})

test('shows the id of a rule that has one, and no group where there is none', () => {
  const { group: _group, ...plain } = condition
  const facts = [
    { value: 3, chain: [] },
    { value: 4, chain: [{}] },
  ]
  const met = { condition: plain, isMet: false, facts, nestedGroups: [] }
  const rule = { id: 'r1', name: 'A rule', conditions: [plain], actions: [] }
  const view = outcomeView([outcome({ rule, isMet: false, conditions: [met], actions: [] })])
  expect(view).toEqual({
    match: false,
    rules: [
      {
        id: 'r1',
        name: 'A rule',
        match: false,
        conditions: [
          {
            field: 'order.line_items.quantity',
            matcher: 'gt',
            match: false,
            matches: [{ value: 3 }, { type: null, id: null, value: 4 }],
          },
        ],
        actions: [],
      },
    ],
  })
})

test('matches when one of the rules does', () => {
  expect(outcomeView([outcome({ isMet: false }), outcome()]).match).toBe(true)
  expect(outcomeView([]).match).toBe(false)
})

test('shows the first hundred of what was found', () => {
  const facts = Array.from({ length: 101 }, (_, value) => ({ value, chain: [] }))
  const lines = Array.from({ length: 101 }, (_, id) => ({ line: { type: 'line_items', id }, units: 1 }))
  const many = outcome({
    conditions: [{ condition, isMet: true, facts, nestedGroups: [] }],
    actions: [{ action, lines, intervalCents: 0 }],
  })
  const [rule] = outcomeView([many]).rules
  expect(rule?.conditions[0]?.matches).toHaveLength(100)
  expect(rule?.actions[0]?.resources).toHaveLength(100)
})
