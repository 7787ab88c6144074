import { Result } from "effect"
import { createHash } from "node:crypto"

/** Returns the name as a quoted SQL identifier. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The schema that holds the tables and functions of one payport. Statements are written with the
 * schema name `payport` before each object of ours. `place` replaces it by the real name, so that
 * no statement depends on the search path of a role, a pooler or a caller.
 */
export interface OurSchema {
  readonly name: string
  readonly quoted: string
  /** Returns the statement for this schema. */
  readonly place: (sql: string) => string
  /** The NOTIFY channel on which processes announce their changes. */
  readonly channel: string
  /**
   * Separates the advisory locks of this schema from those of other schemas: an integer below 2^28.
   * It is 0 for `public`, whose locks and channel are older than other schemas.
   */
  readonly number: number
  /** Returns the key of one of the schema's advisory locks, as the text of a bigint. */
  readonly lock: (base: number) => string
}

/** The placeholder for the channel in statements. */
export const CHANNEL = "payport_changes"

const OURS = /\bpayport\./g

const digestOf = (name: string): string => createHash("sha256").update(name).digest("hex")

/** Places statements in a schema. There are few different statements, so results are kept. */
const placing = (quoted: string, channel: string) => {
  const placed = new Map<string, string>()
  return (sql: string): string => {
    const known = placed.get(sql)
    if (known !== undefined) return known
    const made = sql.replace(OURS, () => `${quoted}.`).replaceAll(`'${CHANNEL}'`, `'${channel}'`)
    placed.set(sql, made)
    return made
  }
}

/** Returns the schema of that name. {@link flawOfName} must have accepted the name. */
export const ourSchema = (name: string): OurSchema => {
  const digest = digestOf(name)
  const quoted = quotedName(name)
  const isPublic = name === "public"
  const channel = isPublic ? CHANNEL : `${CHANNEL}_${digest.slice(0, 16)}`
  const number = isPublic ? 0 : parseInt(digest.slice(0, 7), 16)
  const lock = (base: number) => String(BigInt(base) + (BigInt(number) << 33n))
  return { name, quoted, place: placing(quoted, channel), channel, number, lock }
}

/** Letters and digits of any language, `_`, `-` and spaces: nothing that SQL interprets. */
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_ -]*$/u

/** PostgreSQL truncates longer names, in bytes. */
const LONGEST = 63

/** Returns the flaw of a schema's name, to follow the name of the setting. */
export const flawOfName = (name: string): string | undefined => {
  if (!NAME.test(name)) {
    return "has to be a name of letters, digits, _, - and spaces that begins with a letter or _"
  }
  if (Buffer.byteLength(name) > LONGEST) return `has to have at most ${LONGEST} bytes`
  return name.startsWith("pg_") || name === "information_schema"
    ? "has to be a schema of yours: PostgreSQL keeps names that begin with pg_ for itself"
    : undefined
}

/** The default schema of new databases. */
export const DEFAULT_SCHEMA = "payport"

/**
 * Returns the schema to use. That is the named one; else the existing `payport`; else the existing
 * `public`, where older databases have their tables; else a new `payport`. If only other schemas
 * hold a payport, the name is required. Otherwise a service would start without its data.
 */
export const chooseSchema = (
  wanted: string | undefined,
  found: ReadonlyArray<string>,
): Result.Result<string, string> => {
  if (wanted !== undefined) {
    const flaw = flawOfName(wanted)
    return flaw === undefined
      ? Result.succeed(wanted)
      : Result.fail(`The name of the database's schema ${flaw}.`)
  }
  if (found.includes(DEFAULT_SCHEMA)) return Result.succeed(DEFAULT_SCHEMA)
  if (found.includes("public")) return Result.succeed("public")
  return found.length === 0
    ? Result.succeed(DEFAULT_SCHEMA)
    : Result.fail(
        `The database has a payport in the schema ${found.join(", and one in ")}. Set` +
          " PAYPORT_DATABASE_SCHEMA to one of these schemas or to a new one.",
      )
}
