import { findDestructiveStatements } from './destructive-statements.ts'

const why = (sql: string): readonly string[] => findDestructiveStatements(sql).map((each) => each.why)

describe('statements that break the release that still runs', () => {
  it.each([
    ['DROP TABLE skus', 'may use it'],
    ['drop materialized view sums', 'may use it'],
    ['ALTER TABLE skus DROP COLUMN weight', 'read or write the column'],
    ['ALTER TABLE skus RENAME TO products', 'the old name'],
    ['ALTER TABLE skus RENAME COLUMN code TO sku', 'the old name'],
    ['ALTER TABLE skus ALTER COLUMN code TYPE varchar(40)', 'under a lock'],
    ['ALTER TABLE skus ALTER COLUMN code SET NOT NULL', 'leave it empty'],
    ['ALTER TABLE skus ALTER COLUMN code DROP DEFAULT', 'rely on it'],
    ['ALTER TABLE skus ADD COLUMN color text NOT NULL', 'does not fill it'],
    ['TRUNCATE skus', 'are gone'],
    ['DELETE FROM skus', 'every row'],
  ])('%s', (sql, reason) => {
    expect(why(`${sql};`)).toEqual([expect.stringContaining(reason)])
  })

  it.each([
    'CREATE TABLE colors (id bigint PRIMARY KEY)',
    'ALTER TABLE skus ADD COLUMN color text',
    "ALTER TABLE skus ADD COLUMN color text NOT NULL DEFAULT 'none'",
    'ALTER TABLE skus ADD COLUMN number bigint NOT NULL GENERATED ALWAYS AS IDENTITY',
    'CREATE INDEX CONCURRENTLY skus_color ON skus (color)',
    'DROP TRIGGER old_trigger ON skus',
    'DELETE FROM skus WHERE color IS NULL',
    '-- DROP TABLE skus',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE skus; TRUNCATE skus; $$',
  ])('%s is none', (sql) => {
    expect(why(`${sql};`)).toEqual([])
  })

  it('names line and statement', () => {
    expect(findDestructiveStatements('-- first\nSELECT 1;\n\nDROP TABLE\n  skus;')).toEqual([
      { line: 4, statement: 'DROP TABLE skus', why: 'the running release may use it' },
    ])
  })

  it('are allowed in a migration that says since when nothing uses it', () => {
    expect(why('-- contract: nothing uses it since 1.4\nDROP TABLE skus;')).toEqual([])
    expect(why('-- contract:\nDROP TABLE skus;')).toHaveLength(1)
  })
})
