/**
 * JSON whose first level holds parameters: one that is given twice becomes an array, as in a form, so that it is refused
 * like there (RFC 6749 3.2). JSON.parse alone keeps the last and says nothing; whoever reads the body before may keep the first.
 */

/** Of a name and a text. */
const QUOTES_OF_A_PARAMETER = 4

const countQuotes = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count += 1
  return count
}

/** A name that is repeated, and a quote that is escaped, leave more quotes than the parameters have: most bodies have none. */
const mayRepeat = (text: string, body: object): boolean => {
  const values = Object.values(body)
  return (
    values.some((value) => typeof value !== 'string') ||
    countQuotes(text) !== values.length * QUOTES_OF_A_PARAMETER
  )
}

/** Brackets and strings; with its colon when it is a name. */
const TOKEN = /[{}[\]]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g

/** Names of the first level, each as often as it is there, of a text that is valid JSON. */
const namesOf = (text: string): readonly string[] => {
  const names: string[] = []
  let depth = 0
  for (const [token, quoted, colon] of text.matchAll(TOKEN)) {
    if (quoted === undefined) depth += token === '{' || token === '[' ? 1 : -1
    else if (colon !== undefined && depth === 1) names.push(JSON.parse(quoted) as string)
  }
  return names
}

/**
 * @throws SyntaxError when the text is not JSON
 * @example parseJsonParameters('{"scope":"a","scope":"b"}') // { scope: ['b', 'b'] }
 */
export const parseJsonParameters = (text: string): unknown => {
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !mayRepeat(text, body)) return body
  const parameters = body as Record<string, unknown>
  const seen = new Set<string>()
  for (const name of namesOf(text)) {
    if (seen.has(name)) parameters[name] = [parameters[name], parameters[name]]
    seen.add(name)
  }
  return parameters
}
