import type { OurSchema } from "../OurSchema.ts"
import { COMMIT_FUNCTION } from "./commitFunction.ts"

/** The class of the advisory locks that mark commit functions in use. */
const IN_USE = 729_601_543

/** The comment of commit functions whose users hold such a lock. */
const MARK = "Dropped by a migration once no process holds its advisory lock."

const BEFORE_HASH = "payport_commit_".length + 1

/** Returns the lock of a schema's function, from the first digits of the hash in its name. */
export const lockOfFunction = (name: string, schema: number) => ({
  kind: IN_USE,
  key: `('x' || substr(${name}, ${BEFORE_HASH}, 8))::bit(32)::int # ${schema}`,
})

const lockOf = (name: string, schema: number): string => {
  const { key, kind } = lockOfFunction(name, schema)
  return `${kind}, ${key}`
}

/** Marks the function of this version, whose name is unique. */
export const MARK_COMMIT_FUNCTION = `COMMENT ON FUNCTION payport.${COMMIT_FUNCTION} IS '${MARK}'`

/**
 * Marks this version's function as used by this session until it ends. Answers whether the function
 * exists, because a migration may just have dropped it as unused.
 */
export const holdCommitFunction = ({ number }: OurSchema): string => `SELECT
  pg_advisory_lock_shared(${lockOf(`'${COMMIT_FUNCTION}'`, number)})::text AS held,
  to_regproc('payport.${COMMIT_FUNCTION}') IS NOT NULL AS is_there`

/** Drops the functions of other versions that nobody holds, with the types of their rows. */
export const dropUnused = ({ number, quoted }: OurSchema): string => `DO $payport$
  DECLARE
    function text;
    row_type regtype;
  BEGIN
    FOR function IN
      SELECT proname FROM pg_proc WHERE pronamespace = '${quoted}'::regnamespace
        AND proname ~ '^payport_commit_[0-9a-f]{16}$' AND proname <> '${COMMIT_FUNCTION}'
        AND obj_description(oid, 'pg_proc') = '${MARK}'
    LOOP
      CONTINUE WHEN NOT pg_try_advisory_xact_lock(${lockOf("function", number)});
      EXECUTE format('DROP FUNCTION payport.%I', function);
      FOR row_type IN
        SELECT oid FROM pg_type WHERE typnamespace = '${quoted}'::regnamespace
          AND typtype = 'c' AND starts_with(typname, function || '_')
      LOOP EXECUTE 'DROP TYPE ' || row_type; END LOOP;
    END LOOP;
  END $payport$`
