import type { Statement } from './params.ts'

/** Numbers that nobody else gets, ascending. */
export const reserveNumbers = (table: string, count: number): Statement => ({
  text: `SELECT nextval(numbers.sequence) AS id
    FROM (SELECT pg_get_serial_sequence($1, 'id')::regclass AS sequence OFFSET 0) AS numbers, generate_series(1, $2)`,
  values: [table, count],
  name: 'reserve_numbers',
})
