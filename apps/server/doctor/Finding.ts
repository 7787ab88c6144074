import type { Inspection, ServerFound } from "../../../adapters/postgres/inspectDatabase.ts"
import type { ReplicaFound } from "../../../adapters/postgres/replicas/inspectReplicas.ts"
import { describeOffset, stateOf } from "../../../core/shared/ClockOffset.ts"
import { type KeyRing, mastersOf, ringFlaw } from "../../../core/secrets/KeyRing.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** The subjects that the doctor checks. */
export type Check =
  | "settings"
  | "database"
  | "clock"
  | "rights"
  | "triggers"
  | "audit"
  | "migrations"
  | "keys"
  | "backlog"
  | "certificates"

/** The result of a check; `skipped` if the check needs something that is not there. */
export interface Finding {
  readonly check: Check
  readonly state: "ok" | "warning" | "failed" | "skipped"
  readonly message: string
  /** How to fix it; null if nothing is wrong, or if the message says it. */
  readonly todo: string | null
}

const finding =
  (state: Finding["state"]) =>
  (check: Check, message: string, todo: string | null = null): Finding => ({
    check,
    state,
    message,
    todo,
  })

export const ok = finding("ok")
export const warning = finding("warning")
export const failed = finding("failed")
export const skipped = finding("skipped")

/** Judges how far the clock is ahead of the database's, in milliseconds; undefined if unknown. */
export const judgeClock = (offset: number | undefined): Finding => {
  if (offset === undefined) return skipped("clock", "The database's clock could not be read.")
  const message = `The clock is ${describeOffset(offset)}.`
  const state = stateOf(offset)
  if (state === "right") return ok("clock", message)
  const todo = "Repair this machine's time service, or the database's (timedatectl, chronyc)."
  return (state === "wrong" ? failed : warning)("clock", message, todo)
}

/** Judges the server that was reached. */
export const judgeServer = ({ encrypted, full, readOnly, version }: Inspection): Finding => {
  const message = `PostgreSQL ${version} answers, ${encrypted ? "encrypted" : "not encrypted"}.`
  if (full) {
    return failed(
      "database",
      `${message} Its disk is full: not even 16 MB could be written.`,
      "Make room outside PostgreSQL's folders, never in pg_wal, or enlarge the disk.",
    )
  }
  return readOnly
    ? failed("database", `${message} It is read-only.`, "Name the primary, or wait for a failover.")
    : ok("database", message)
}

/** Judges one of several servers, any of which may become primary. */
export const judgeStanding = (found: ServerFound): Finding => {
  const { server } = found
  if ("problem" in found) {
    const message = `${server} cannot be used: ${found.problem.replace(/\.$/, "")}.`
    return warning("database", message, "Repair it: after a failover it may be the primary.")
  }
  const standing = found.follows
    ? "follows another"
    : found.read_only
      ? "takes no writes"
      : "is a primary"
  return ok("database", `${server} ${standing}.`)
}

/** Judges a replica for lists and searches. Without it the primary answers them. */
export const judgeReplica = ({ found, replica }: ReplicaFound): Finding => {
  if (typeof found === "object") {
    return warning("database", `The replica ${replica} does not answer. ${found.problem}`)
  }
  switch (found) {
    case "follows":
      return ok("database", `The replica ${replica} follows the primary.`)
    case "promoted":
      return warning(
        "database",
        `The replica ${replica} is not a replica of another server.`,
        "Set PAYPORT_REPLICA_URL to servers that follow the primary.",
      )
    case "other_database":
      return failed(
        "database",
        `The replica ${replica} has another database than the primary.`,
        "Set PAYPORT_REPLICA_URL to a server that follows the primary by streaming replication.",
      )
  }
}

const MIGRATE =
  "Run `payport migrate` (in a clone `node apps/server/main.ts migrate`)" +
  " with PAYPORT_MIGRATION_URL."

/** At most so many rights are named. */
const MOST_NAMED = 3

const someOf = (rights: ReadonlyArray<string>): string =>
  [...rights.slice(0, MOST_NAMED), ...(rights.length > MOST_NAMED ? ["…"] : [])].join("; ")

/** Judges the rights of the service's role. In live mode it must own nothing. */
export const judgeRights = (
  { applied, creates, excess, missing, owns, role }: Inspection,
  mode: "sandbox" | "live",
): Finding => {
  if (missing.length > 0) {
    return failed("rights", `The role ${role} lacks rights: ${someOf(missing)}.`, MIGRATE)
  }
  if (applied.length === 0 && !owns) return skipped("rights", "There are no tables yet.")
  if (excess.length > 0) {
    const message = `The role ${role} has rights that it must not have: ${someOf(excess)}.`
    return (mode === "live" ? failed : warning)("rights", message, MIGRATE)
  }
  if (mode === "live" && (owns || creates)) {
    const todo = "Run the service as a role that owns nothing: see Roles in OPERATORS.md."
    const what = owns ? "owns the tables" : "may create functions in their schema"
    return failed("rights", `The role ${role} ${what}.`, todo)
  }
  return ok("rights", `The role ${role} has the privileges that the service needs.`)
}

/** Judges whether the triggers fire that keep the books, the audit log and lists right. */
export const judgeTriggers = ({ applied, silent }: Inspection): Finding => {
  if (applied.length === 0) return skipped("triggers", "There are no tables yet.")
  if (silent.length === 0) return ok("triggers", "The triggers of the tables are enabled.")
  return failed(
    "triggers",
    `Triggers of the tables are disabled: ${someOf(silent)}.`,
    "A restore may have failed: begin it anew. Then check the ledger and verify the audit log.",
  )
}

/** Judges whether operators can act: each entry of the audit log has to follow the last one. */
export const judgeAudit = ({ applied, endsWithHead, readable }: Inspection): Finding => {
  if (applied.length === 0) return skipped("audit", "There are no tables yet.")
  if (!readable) return skipped("audit", "The audit log could not be read.")
  return endsWithHead
    ? ok("audit", "The audit log ends with the entry that its head names.")
    : failed(
        "audit",
        "The audit log does not end with the entry that its head names, so operators cannot act.",
        "Verify the log (`payport audit verify`): it was changed, or restored in part.",
      )
}

/** Judges whether the schema is that of this version; `steps` are numbers in order. */
export const judgeMigrations = (
  { applied, hasFunction, owns, schema }: Inspection,
  steps: ReadonlyArray<number>,
): Finding => {
  const last = steps.at(-1) ?? 0
  const newer = applied.filter(({ id }) => !steps.includes(id))
  const numbers = newer.map(({ id }) => id).join(", ")
  if (newer.some(({ beside }) => beside === null || beside > last)) {
    const message = `The database has schema steps of a newer version: ${numbers}.`
    return failed("migrations", message, "Start that version, or a newer one.")
  }
  const missing = steps.filter((step) => !applied.some(({ id }) => id === step))
  if (missing.length === 0 && hasFunction && newer.length > 0) {
    return warning(
      "migrations",
      `The database has steps of a newer version, which this one may run beside: ${numbers}.`,
      "End the upgrade: start that version everywhere.",
    )
  }
  if (missing.length === 0 && hasFunction) {
    return ok("migrations", `The schema ${schema} matches this version: step ${last}.`)
  }
  const message =
    missing.length > 0
      ? `The database lacks the schema steps ${missing.join(", ")}.`
      : "The database lacks this version's commit function."
  return owns
    ? warning("migrations", message, "Start the service, which brings the schema up to date.")
    : failed("migrations", message, MIGRATE)
}

/**
 * Judges whether a start with the mode and the master key may use the database. `master` is the
 * key's id; undefined if there is no key.
 */
export const judgeKeys = (
  ring: KeyRing | undefined,
  { master, mode }: { readonly master: string | undefined; readonly mode: KeyRing["mode"] },
): Finding => {
  if (ring === undefined) return skipped("keys", "The first start makes the database's keys.")
  const masters = mastersOf(ring).join(" and ")
  if (master === undefined) {
    return failed(
      "keys",
      `The secrets in this database need the master key ${masters}, and there is none.`,
      "Set PAYPORT_MASTER_KEY, or PAYPORT_DATA_DIR to the folder that has it.",
    )
  }
  const flaw = ringFlaw(ring, { mode, master })
  if (flaw !== undefined) return failed("keys", flaw, "A start with these settings is refused.")
  return mastersOf(ring).length === 1
    ? ok("keys", `The master key ${master} opens this database of ${mode} mode.`)
    : warning(
        "keys",
        `The master keys ${masters} all open this database: a rotation is under way.`,
        "Start every process with the newest, then run `payport rotate-master-key --finish`.",
      )
}

/** Ages of the oldest due work, in milliseconds, from which the backlog is late, or worse. */
const LATE = 60_000
const VERY_LATE = 600_000

/** Judges the due work, by how long it has been due. */
export const judgeBacklog = ({ backlog }: Inspection, now: Timestamp): Finding => {
  if (backlog === undefined) return skipped("backlog", "The waiting work could not be counted.")
  const lags = backlog.due.flatMap(({ count, kind, oldest }) =>
    oldest === null ? [] : [{ kind, count, lag: now - oldest }],
  )
  const [worst] = lags.toSorted((a, b) => b.lag - a.lag)
  const deliveries = backlog.receivers.reduce((sum, { count }) => sum + count, 0)
  const open = backlog.channel_requests.reduce((sum, { count }) => sum + count, 0)
  const rest = `${deliveries} deliveries and ${open} channel requests are open.`
  if (worst === undefined || worst.lag < LATE) return ok("backlog", `Nothing is late; ${rest}`)
  const message =
    `${worst.count} of the kind ${worst.kind} are due, ` +
    `one for ${Math.round(worst.lag / 1_000)} s; ${rest}`
  const todo = "Check that a worker runs and what it logs about that kind, or start another worker."
  return (worst.lag < VERY_LATE ? warning : failed)("backlog", message, todo)
}

/** A server's certificate, or the reason why there is none. */
export type Certificate =
  | { readonly server: string; readonly until: Timestamp }
  | { readonly server: string; readonly problem: string }

const SOON = 14 * DAY

/** Judges how long a certificate is still valid. */
export const judgeCertificate = (certificate: Certificate, now: Timestamp): Finding => {
  const { server } = certificate
  if ("problem" in certificate) {
    const todo = "Repair the server's certificate, or the connection to the server."
    return failed("certificates", `${server}: ${certificate.problem}.`, todo)
  }
  const { until } = certificate
  const day = new Date(until).toISOString().slice(0, 10)
  if (until <= now) return failed("certificates", `${server}: it expired on ${day}.`, "Renew it.")
  const message = `${server}: valid until ${day}.`
  return until - now < SOON
    ? warning("certificates", message, "Renew it.")
    : ok("certificates", message)
}

/** Returns the worst state of all findings. */
export const stateOfAll = (findings: ReadonlyArray<Finding>): "ok" | "warning" | "failed" =>
  findings.some(({ state }) => state === "failed")
    ? "failed"
    : findings.some(({ state }) => state === "warning")
      ? "warning"
      : "ok"

/** Prints findings for people: a line each, and one below it that says how to fix it. */
export const textOf = (findings: ReadonlyArray<Finding>): string =>
  findings
    .map(({ check, message, state, todo }) => {
      const line = `${state.padEnd(8)} ${check.padEnd(13)} ${message}`
      return todo === null ? line : `${line}\n${" ".repeat(23)}${todo}`
    })
    .join("\n")
