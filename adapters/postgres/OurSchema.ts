import { Result } from "effect"
import { createHash } from "node:crypto"

/** A name as SQL takes it. */
export const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * The schema that holds the tables and functions of one payport. Statements are written for a
 * schema of the name `payport`, and say it of all that is theirs; `place` puts the real name there,
 * so that no statement depends on the search path that a role, a pooler or a caller has.
 */
export interface OurSchema {
  readonly name: string
  readonly quoted: string
  /** The same statement for this schema. */
  readonly place: (sql: string) => string
  /** Where its processes tell each other what they have changed. */
  readonly channel: string
  /**
   * Tells its advisory locks from those of other schemas of the database: an integer below 2^28, 0
   * for `public`, whose locks and channel stay what they were before there were other schemas.
   */
  readonly number: number
  /** The key of one of its advisory locks, as the text of a bigint. */
  readonly lock: (base: number) => string
}

/** What stands for the channel in statements. */
export const CHANNEL = "payport_changes"

const OURS = /\bpayport\./g

const digestOf = (name: string): string => createHash("sha256").update(name).digest("hex")

/** Statements have few texts: each is placed once. */
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

/** The schema of that name, which {@link flawOfName} has nothing against. */
export const ourSchema = (name: string): OurSchema => {
  const digest = digestOf(name)
  const quoted = quotedName(name)
  const isPublic = name === "public"
  const channel = isPublic ? CHANNEL : `${CHANNEL}_${digest.slice(0, 16)}`
  const number = isPublic ? 0 : parseInt(digest.slice(0, 7), 16)
  const lock = (base: number) => String(BigInt(base) + (BigInt(number) << 33n))
  return { name, quoted, place: placing(quoted, channel), channel, number, lock }
}

/** Letters and digits of any language, and what stands between words: nothing that SQL reads. */
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}_ -]*$/u

/** PostgreSQL cuts longer names off, in bytes. */
const LONGEST = 63

/** What is wrong with the name of a schema, to be read behind that of the setting. */
export const flawOfName = (name: string): string | undefined => {
  if (!NAME.test(name)) {
    return "has to be a name of letters, digits, _, - and spaces that begins with a letter or _"
  }
  if (Buffer.byteLength(name) > LONGEST) return `has to have at most ${LONGEST} bytes`
  return name.startsWith("pg_") || name === "information_schema"
    ? "has to be a schema of yours: PostgreSQL keeps names that begin with pg_ for itself"
    : undefined
}

/** The schema of databases that are made from now on, unless another is named. */
export const DEFAULT_SCHEMA = "payport"

/**
 * Which schema is meant: the one that is named; else, of those that hold a payport already,
 * `payport`, or `public`, where databases before had it; else a new `payport`. Where only others
 * hold one, somebody has to say which, or else a service would begin anew beside its own data.
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
        `The database has a payport in the schema ${found.join(", and one in ")}: name the schema` +
          " that is meant by PAYPORT_DATABASE_SCHEMA, which may be a new one.",
      )
}
