/**
 * Lets a function act with the rights of its owner. Its names mean those of the schema whatever its
 * caller has in its search path, temporary tables above all.
 */
export const withOwnersRights = (signature: string): string => `DO $payport$ BEGIN
    EXECUTE format('ALTER FUNCTION ${signature} SECURITY DEFINER SET search_path = %I, pg_temp',
      current_schema());
  END $payport$`
