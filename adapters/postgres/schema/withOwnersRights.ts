/**
 * Lets a function of our schema act with the rights of its owner. It names the schema of all that
 * it touches, and its search path holds nothing that its caller could put there.
 */
export const withOwnersRights = (signature: string): string =>
  `ALTER FUNCTION payport.${signature} SECURITY DEFINER SET search_path = pg_catalog, pg_temp`

/** What makes a database's functions as these statements would make them anew. */
export const functionsOf = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements
    .filter((sql) => /^(CREATE|ALTER) FUNCTION /.test(sql))
    .map((sql) => sql.replace(/^CREATE /, "CREATE OR REPLACE "))
