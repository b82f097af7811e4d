/**
 * What Stryker does not mutate: definitions of resources, which the committed reference pages are compared with, SQL, which
 * only tests on a database can judge, and names of models, which only the compiler reads (engine/database/rows.ts).
 */
const DEFINITIONS = ['defineResource', 'definePromotion']
const TYPED_ROWS = ['columnsOf', 'rowOf']
const SQL = /\b(SELECT|coalesce)\b/

const isDefinition = (node) => node.type === 'CallExpression' && DEFINITIONS.includes(node.callee.name)

const textOf = (node) => {
  if (node.type === 'StringLiteral') return node.value
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join(' ') : ''
}

const isModelName = ({ node, parent }) =>
  node.type === 'StringLiteral' &&
  parent.type === 'CallExpression' &&
  TYPED_ROWS.includes(parent.callee.name) &&
  parent.arguments[0] === node

const shouldIgnore = (path) => {
  const { node } = path
  if (isDefinition(node)) return 'a definition of a resource'
  if (isModelName(path)) return 'the name of a model'
  return SQL.test(textOf(node)) ? 'SQL' : undefined
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'declarations', value: { shouldIgnore } }]
