import type { Variable } from "./variables.ts"

/** The text of `--help`, with what each variable has to be. */
export const helpOf = (variables: ReadonlyArray<Variable<unknown>>): string =>
  [
    "Usage: payport [start | move | --help | doctor [--json] |",
    "         migrate [--print [--from STEP]] | rotate-master-key [--finish] |",
    "         audit verify [--key KEY] LOG [HEADS | SEQUENCE:HASH]... |",
    "         simulate | listen | mcp [--help]]",
    "",
    "start (the default) serves payport until SIGTERM or SIGINT. migrate makes the tables, or",
    "brings them up to date, as the role of PAYPORT_MIGRATION_URL, and grants that of",
    "PAYPORT_DATABASE_URL what the service needs; with --print it touches nothing and prints the",
    "SQL that does this to a database that has no tables, or whose schema ends at STEP. move does",
    "the same as migrate and brings the embedded database there, which is not to be in use.",
    "rotate-master-key takes PAYPORT_NEXT_MASTER_KEY into use beside PAYPORT_MASTER_KEY, while the",
    "service runs; with --finish the old key opens nothing any more. doctor looks at settings,",
    "clock, database, rights, migrations, what waits, and certificates, changes nothing, and exits",
    "with 1 where one of them fails the service. simulate, listen and mcp are programs with a",
    "--help of their own.",
    "",
    "Settings are environment variables:",
    "",
    ...variables.map(
      ({ name, unset, wanted }) => `  ${name.padEnd(24)} ${wanted}\n${" ".repeat(27)}(${unset})`,
    ),
    "",
  ].join("\n")
