import { databaseNameOf, withDatabase } from './create-database.ts'

describe('database URLs', () => {
  it('names the database, decoded', () => {
    expect(databaseNameOf('postgresql://me:secret@db:5432/merx%20core?sslmode=require')).toBe('merx core')
  })

  it('refuses a URL without a database', () => {
    expect(() => databaseNameOf('postgresql://db:5432')).toThrow('names no database')
  })

  it('keeps server, credentials and parameters when it changes the database', () => {
    expect(withDatabase('postgresql://me:s%40cret@db:5432/a?sslmode=require', 'b c')).toBe(
      'postgresql://me:s%40cret@db:5432/b%20c?sslmode=require',
    )
  })
})
