/**
 * The environment of a statement, `$1`, as PostgreSQL's planner cannot see through it. Of an environment that grew since
 * the statistics were made it would expect no rows, take whichever index begins with the environment, and read all of it to
 * find one row. So it reckons with an environment of average size.
 */
export const ANY_ENVIRONMENT = '(SELECT $1::bigint)'
