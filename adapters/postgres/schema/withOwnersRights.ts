/**
 * Lets a function of our schema run with its owner's rights. It names the schema of everything that
 * it uses, and its search path contains nothing that a caller can change.
 */
export const withOwnersRights = (signature: string): string =>
  `ALTER FUNCTION payport.${signature} SECURITY DEFINER SET search_path = pg_catalog, pg_temp`

/** Returns the statements that replace a database's functions by these. */
export const functionsOf = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements
    .filter((sql) => /^(CREATE|ALTER) FUNCTION /.test(sql))
    .map((sql) => sql.replace(/^CREATE /, "CREATE OR REPLACE "))
