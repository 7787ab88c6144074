import type { Variable } from "./variables.ts"

/** The texts of the commands that are not separate programs. */
const HELP: { readonly [name: string]: string } = {
  start: `Usage: payport [start] [--json]

Serves payport until SIGTERM or SIGINT. Without settings it is a sandbox with a PostgreSQL of its
own, in the folder .payport. node runs with the flags of V8 that suit a machine which the service
shares with its database; a flag that node is given beside them counts more than they do.

  --json           prints {"ready", "keys", "operators", "probes"} as its one line when it is
                   ready: URLs, and the folder of generated keys; null for what there is not
  --help           prints this

Example:
  PAYPORT_PORT=4021 payport start

It ends with 0 after a stop, with 1 when it cannot start or go on, with 2 on a wrong option.
`,
  migrate: `Usage: payport migrate [--print [--from STEP]] [--json]

Makes the tables, or brings them up to date, as the role of PAYPORT_MIGRATION_URL, and grants that
of PAYPORT_DATABASE_URL what the service needs. It may run while the service does.

  --print          touches nothing and prints the SQL that does this to a database without tables
  --from STEP      the same for a schema that ends at this step, 0 to 9999 (default 0: no tables)
  --json           prints {"taken", "beside"}, the steps that were taken and the oldest version
                   that may run beside this one; with --print {"sql"}
  --help           prints this

Example:
  PAYPORT_MIGRATION_URL=postgresql://owner@db/payport payport migrate

It ends with 0, with 1 when the database refuses, with 2 on a wrong option.
`,
  move: `Usage: payport move [--json]

Does the same as payport migrate, and brings everything of the embedded database of PAYPORT_DATA_DIR
there, or nothing. The embedded database is not to be in use, and stays as it is.

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

Looks at the settings, the clock, the database and its rights, migrations, what waits, and
certificates, as the service that has these settings would meet them. It changes nothing.

  --json           prints {"state", "findings"}
  --help           prints this

Example:
  payport doctor --json | jq -r .state

It ends with 0, with 1 where a finding keeps the service from working, with 2 on a wrong option.
`,
  audit: `Usage: payport audit verify [--key KEY] [--json] LOG [HEADS | SEQUENCE:HASH]...

Proves a copy of the audit log, without the service: that each entry follows from the one before it
and is signed, and that it holds the heads that were kept elsewhere.

  LOG              the copy: an entry of GET /v1/audit a line, as JSON
  HEADS            a file of signed heads, as PAYPORT_AUDIT_HEADS makes it
  SEQUENCE:HASH    one head that was noted down
  --key KEY        the public key, 43 base64url characters (default: that which the heads name)
  --json           prints {"whole", "entries", "head", "signed_by"}, or {"whole", "hole"} with the
                   sequence of the first hole
  --help           prints this

Example:
  payport audit verify --key "$key" audit.ndjson heads.ndjson

It ends with 0 for a log that is whole, with 1 for one with a hole, with 2 on a wrong option.
`,
  "rotate-master-key": `Usage: payport rotate-master-key [--finish] [--json]

Takes PAYPORT_NEXT_MASTER_KEY into use beside PAYPORT_MASTER_KEY, while the service runs: every
secret is sealed again. It takes 5 seconds and some milliseconds for each record with a secret, and
can be stopped and started again.

  --finish         and then gives up the old key, which opens nothing any more
  --json           prints {"data_key", "opened_by"}, the key that values are sealed under and the
                   names of the master keys that open the database
  --help           prints this

Example:
  PAYPORT_NEXT_MASTER_KEY="$(openssl rand -base64 32)" payport rotate-master-key

It ends with 0, with 1 when something is left to do, with 2 on a wrong option.
`,
}

/** Returns the text of `payport COMMAND --help`, for a command that is not a separate program. */
export const commandHelp = (name: string): string | undefined =>
  Object.hasOwn(HELP, name) ? HELP[name] : undefined

/** The commands and what they do, in the order of the overview. */
const PROGRAMS: ReadonlyArray<readonly [string, string]> = [
  ["start", "serves payport until SIGTERM or SIGINT (the default)"],
  ["migrate", "makes the tables, or brings them up to date, as their owner"],
  ["move", "migrates, and brings the embedded database there"],
  ["archive", "writes each day that is over to a folder, as Parquet, and verifies it"],
  ["doctor", "looks at what the service depends on, and changes nothing"],
  ["audit verify", "proves a copy of the audit log, without the service"],
  ["rotate-master-key", "takes another master key into use while the service runs"],
  ["bench", "measures how fast payments are created, of a sandbox or an own one"],
  ["simulate", "plays worlds of payers, channels and faults"],
  ["grade", "holds receivers of webhooks and other people's software to the protocol"],
  ["listen", "forwards an account's events to a receiver on this machine"],
  ["record", "writes a client's traffic as a scenario that simulate plays"],
  ["mcp", "offers the tools to an agent on stdin and stdout"],
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
    "Usage: payport [COMMAND] [--json] [--help]",
    "",
    ...PROGRAMS.map(([name, what]) => `  ${name.padEnd(18)} ${what}`),
    "",
    "payport COMMAND --help has the options of each, an example, and what its exit codes mean.",
    "",
    settingsOf(variables),
  ].join("\n")
