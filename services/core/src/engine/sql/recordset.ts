import { identifier } from './identifiers.ts'

/** A JSON list of rows, as rows `r` of the table's type: values take the types of its columns. */
export const recordset = (table: string, placeholder: string): string =>
  `json_populate_recordset(NULL::${identifier(table)}, ${placeholder}::json) AS r`
