/** Column → value of a row that is written; objects and arrays are jsonb. */
export type ColumnValues = Readonly<Record<string, unknown>>
