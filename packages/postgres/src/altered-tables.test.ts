import { findAlteredTables } from './altered-tables.ts'

describe('tables that a migration takes from others', () => {
  it.each([
    ['a column', 'ALTER TABLE orders ADD COLUMN a text;', ['orders']],
    [
      'a partition or a table that may be missing',
      'ALTER TABLE IF EXISTS ONLY orders ADD a text;',
      ['orders'],
    ],
    ['a dropped trigger', 'DROP TRIGGER touch ON Orders;', ['orders']],
    [
      'several statements',
      'ALTER TABLE a ADD b int; ALTER TABLE c ADD b int;\nALTER TABLE a ADD d int;',
      ['a', 'c'],
    ],
    ['a constraint that is only checked', 'ALTER TABLE orders VALIDATE CONSTRAINT orders_check;', []],
    ['what only writers wait for', 'CREATE TABLE a (b int REFERENCES c (b)); CREATE INDEX i ON c (b);', []],
    [
      'what a function does later',
      'CREATE FUNCTION f() AS $$ ALTER TABLE a ADD b int; $$; -- ALTER TABLE c ADD d int',
      [],
    ],
  ])('%s', (_what, sql, tables) => {
    expect(findAlteredTables(sql)).toEqual({ altered: tables, dropped: [] })
  })

  it('tells apart those that it drops', () => {
    const sql = 'DROP TABLE IF EXISTS kept.bits; ALTER TABLE orders ADD COLUMN a text; DROP TABLE refunds'
    expect(findAlteredTables(sql)).toEqual({ altered: ['orders'], dropped: ['kept.bits', 'refunds'] })
  })
})
