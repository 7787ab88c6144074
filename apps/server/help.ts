import type { Variable } from "./variables.ts"

/** The texts of the commands that are not separate programs. */
const HELP: { readonly [name: string]: string } = {
  start: `Usage: payport [start] [--json]

Serves payport until SIGTERM or SIGINT. Without settings it is a sandbox with a PostgreSQL of its
own, in the folder .payport. node gets V8 flags for a machine that the service shares with its
database. Flags that you give to node override them.

  --json           when it is ready, prints one line {"ready", "keys", "operators", "probes"}: URLs
                   and the folder of generated keys; null for what does not exist
  --help           prints this

Example:
  PAYPORT_PORT=4021 payport start

It ends with 0 after a stop, with 1 when it cannot start or go on, with 2 on a wrong option.
`,
  migrate: `Usage: payport migrate [--print [--from STEP]] [--json]

Creates or updates the tables as the role of PAYPORT_MIGRATION_URL, and grants the role of
PAYPORT_DATABASE_URL what the service needs. It can run while the service runs.

  --print          changes nothing, and prints the SQL for a database without tables
  --from STEP      with --print: the SQL for a schema at this step, 0 to 9999 (default 0: no tables)
  --json           prints {"taken", "beside"}: the executed steps, and the oldest version that may
                   run beside this one; with --print {"sql"}
  --help           prints this

Example:
  PAYPORT_MIGRATION_URL=postgresql://owner@db/payport payport migrate

It ends with 0, with 1 when the database refuses, with 2 on a wrong option.
`,
  move: `Usage: payport move [--json]

Does the same as payport migrate, then copies all data of the embedded database of PAYPORT_DATA_DIR
to that database, or none. The embedded database must not be in use. It does not change.

  --json           prints {"rows"}, how many rows were moved
  --help           prints this

Example:
  PAYPORT_DATA_DIR=.payport PAYPORT_MIGRATION_URL=postgresql://owner@db/payport payport move

It ends with 0, with 1 when nothing was moved, with 2 on a wrong option.
`,
  archive: `Usage: payport archive [--before DAY] [--json]
       payport archive --verify [--json]

Writes what happened on each UTC day to PAYPORT_ARCHIVE_DIR, a Parquet file for each table and day:
events, deliveries, log entries, usage records, postings, audit entries, messages of channels and
requests to them. A day is written an hour after its end, once none of its rows can change, and
read back before it gets its name. Days that are there are left alone. It changes no data.

  --before DAY     only days before this one, such as 2026-01-31 (default: all that are over)
  --verify         reads every file again and compares it with its manifest; needs no database
  --json           prints {"archived", "waiting"}, the files that were written and the days whose
                   rows can still change; with --verify {"verified", "broken"}
  --help           prints this

Example:
  PAYPORT_ARCHIVE_DIR=/var/lib/payport-archive payport archive

It ends with 0, with 1 when a file cannot be written or is not as it was, with 2 on a wrong option.
`,
  doctor: `Usage: payport doctor [--json]

Checks the settings and their files, the clock, the database and its privileges, migrations, the
master key, waiting work and certificates, as the service with these settings would find them. It
changes nothing.

  --json           prints {"state", "findings"}
  --help           prints this

Example:
  payport doctor --json | jq -r .state

It ends with 0, with 1 if a finding prevents the service from working, with 2 on a wrong option.
`,
  audit: `Usage: payport audit verify [--key KEY] [--json] LOG [HEADS | SEQUENCE:HASH]...

Verifies a copy of the audit log, without the service: that each entry follows from the previous
one and is signed, and that the log contains the heads that were stored elsewhere.

  LOG              the copy: one entry of GET /v1/audit a line, as JSON
  HEADS            a file of signed heads, as PAYPORT_AUDIT_HEADS writes it
  SEQUENCE:HASH    one head
  --key KEY        the public key, 43 base64url characters (default: the key that the heads name)
  --json           prints {"whole", "entries", "head", "signed_by"}, or {"whole", "hole"} with the
                   sequence of the first hole
  --help           prints this

Example:
  payport audit verify --key "$key" audit.ndjson heads.ndjson

It ends with 0 if the log is whole, with 1 if it has a hole, with 2 on a wrong option.
`,
  "rotate-master-key": `Usage: payport rotate-master-key [--finish] [--json]

Adds PAYPORT_NEXT_MASTER_KEY beside PAYPORT_MASTER_KEY while the service runs, and seals every
secret again. It takes 5 seconds, and a few milliseconds for each record with a secret. It can be
stopped and started again. Keep the next key before you add it, such as in a file:

  (umask 077; set -C; openssl rand -base64 32 > next.key)

  --finish         removes the old key, which opens nothing afterwards; only after a run without
                   --finish has added the next one. PAYPORT_MASTER_KEY may be the next one by then
  --json           prints {"data_key", "opened_by"}: the key that seals values, and the names of
                   the master keys that open the database
  --help           prints this

Example:
  PAYPORT_NEXT_MASTER_KEY_FILE=next.key payport rotate-master-key

It ends with 0, with 1 if something is left to do, with 2 on a wrong option.
`,
}

/** Returns the text of `payport COMMAND --help`, for a command that is not a separate program. */
export const commandHelp = (name: string): string | undefined =>
  Object.hasOwn(HELP, name) ? HELP[name] : undefined

/** The commands and what they do, in the order of the overview. */
const PROGRAMS: ReadonlyArray<readonly [string, string]> = [
  ["start", "serves payport until SIGTERM or SIGINT (the default)"],
  ["migrate", "creates or updates the tables, as their owner"],
  ["move", "migrates, and copies the embedded database to another PostgreSQL"],
  ["archive", "writes each day that is over to a folder, as Parquet, and verifies it"],
  ["doctor", "checks what the service depends on, and changes nothing"],
  ["audit verify", "verifies a copy of the audit log, without the service"],
  ["rotate-master-key", "replaces the master key while the service runs"],
  ["bench", "measures how fast a sandbox creates payments"],
  ["simulate", "plays worlds of payers, channels and faults"],
  ["grade", "tests webhook receivers and other software against the protocol"],
  ["listen", "forwards an account's events to a receiver on this machine"],
  ["record", "records a client's traffic as a scenario for simulate"],
  ["mcp", "serves the tools to an agent on stdin and stdout"],
]

/** Returns the part of a help text about settings. */
export const settingsOf = (variables: ReadonlyArray<Variable<unknown>>): string =>
  [
    "Settings are environment variables:",
    "",
    ...variables.map(
      ({ name, unset, wanted }) => `  ${name.padEnd(24)} ${wanted}\n${" ".repeat(27)}(${unset})`,
    ),
    "",
  ].join("\n")

/** Returns the text of `payport --help`, with the form of each variable. */
export const helpOf = (variables: ReadonlyArray<Variable<unknown>>): string =>
  [
    "Usage: payport [COMMAND] [--json] [--help] [--version]",
    "",
    ...PROGRAMS.map(([name, what]) => `  ${name.padEnd(18)} ${what}`),
    "",
    "payport COMMAND --help lists a command's options, an example and the exit codes.",
    "",
    settingsOf(variables),
  ].join("\n")
