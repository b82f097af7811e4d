/** Every text of the page is in every catalog, with the same values, and no catalog has one that nobody shows. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { NAMES } from '../page/src/language/names.ts'

const SOURCE = path.resolve(import.meta.dirname, '..', 'page', 'src')

const sourceFiles = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) =>
    ts.createSourceFile(
      name,
      readFileSync(path.join(SOURCE, name), 'utf8'),
      ts.ScriptTarget.Latest,
      true,
      name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  )

const nodesOf = (node: ts.Node): readonly ts.Node[] => [
  node,
  ...node.getChildren().flatMap((child) => nodesOf(child)),
]

const callsOfT = sourceFiles
  .flatMap((file) => nodesOf(file))
  .filter(ts.isCallExpression)
  .filter(({ expression }) => ts.isIdentifier(expression) && expression.text === 't')

const texts = new Set(
  callsOfT.flatMap(({ arguments: [text] }) =>
    text !== undefined && ts.isStringLiteralLike(text) ? [text.text] : [],
  ),
)

const catalogs = ['it', 'ar'].map((code): [string, Readonly<Record<string, string>>] => [
  code,
  JSON.parse(readFileSync(path.join(SOURCE, 'language', `${code}.json`), 'utf8')) as Record<string, string>,
])

/** The names in braces; what is inside of a plural is a text, too. */
const valuesOf = (text: string): readonly string[] =>
  [
    ...new Set([...text.matchAll(/\{(?<name>\w+)[,}]/g)].map(({ groups }) => groups?.['name'] ?? '')),
  ].toSorted()

it('takes texts as they are written, so that they can be found', () => {
  const computed = callsOfT
    .filter(({ arguments: [text] }) => text === undefined || !ts.isStringLiteralLike(text))
    .map((call) => `${call.getSourceFile().fileName}: ${call.getText()}`)
  expect(computed).toEqual([])
  expect(texts.size).toBeGreaterThan(0)
})

/** Text between tags, and in attributes that people read, with at least a word in it. */
const WORD = /\p{L}{2,}/u
const READ_ATTRIBUTES = new Set(['aria-label', 'label', 'placeholder', 'title', 'hint'])
/** Names that are the same in every language. */
const PROPER = new Set(['Merx', 'Ctrl K'])

const literalsOf = (node: ts.Node): readonly string[] => {
  if (ts.isJsxText(node)) return [node.text.trim()]
  if (!ts.isJsxAttribute(node) || !READ_ATTRIBUTES.has(node.name.getText())) return []
  return node.initializer !== undefined && ts.isStringLiteral(node.initializer) ? [node.initializer.text] : []
}

it('has no text that goes past the catalogs', () => {
  const literals = sourceFiles.flatMap((file) =>
    nodesOf(file).flatMap((node) =>
      literalsOf(node)
        .filter((text) => WORD.test(text) && !PROPER.has(text))
        .map((text) => `${file.fileName}: ${text}`),
    ),
  )
  expect(literals).toEqual([])
})

it.each(catalogs)('%s has every text and no other, in alphabetical order', (_code, catalog) => {
  const compare = (a: string, b: string) => (a < b ? -1 : 1)
  expect(Object.keys(catalog)).toEqual([...new Set([...texts, ...NAMES])].toSorted(compare))
})

it.each(catalogs)('%s has the same values in every text', (_code, catalog) => {
  for (const [text, translation] of Object.entries(catalog))
    expect([text, valuesOf(translation)]).toEqual([text, valuesOf(text)])
})
