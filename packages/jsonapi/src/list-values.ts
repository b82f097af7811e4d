/**
 * The values of a list filter as one text: commas separate them, and `\,` is a comma in a value. Backslashes elsewhere are
 * literal; right before a comma each pair of them is one backslash.
 */
const BEFORE_COMMA = /(\\*),/g

export const splitListValues = (text: string): readonly string[] => {
  const values: string[] = []
  let value = ''
  let at = 0
  for (const match of text.matchAll(BEFORE_COMMA)) {
    const [whole, backslashes = ''] = match
    value += text.slice(at, match.index) + backslashes.slice(0, Math.floor(backslashes.length / 2))
    at = match.index + whole.length
    if (backslashes.length % 2 === 1) value += ','
    else {
      values.push(value)
      value = ''
    }
  }
  return [...values, value + text.slice(at)]
}

/** The text that `splitListValues` reads as these values. */
export const joinListValues = (values: readonly string[]): string =>
  values
    .map((value, index) => {
      const escaped = value.replaceAll(
        BEFORE_COMMA,
        (_whole, backslashes: string) => `${backslashes}${backslashes}\\,`,
      )
      const isLast = index === values.length - 1
      return isLast ? escaped : escaped.replace(/\\+$/, (backslashes) => backslashes + backslashes)
    })
    .join(',')
