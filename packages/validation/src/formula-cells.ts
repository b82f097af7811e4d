/**
 * Keeps spreadsheets from running the texts of a CSV file as formulas (OWASP, "CSV Injection"): a text that begins like one gets an
 * apostrophe in front, which a spreadsheet hides and an import takes off. A text that begins with apostrophes and then like a formula gets
 * one more, so that each text is restored as it was.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/
const ESCAPED = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/

export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

export const unescapeFormula = (text: string): string => (ESCAPED.test(text) ? text.slice(1) : text)
