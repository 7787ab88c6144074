import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { projectRoot, sourceText } from "../support/sourceFiles.ts"
import { FLAWS } from "./catalogue.ts"
import type { Flaw } from "./flaw.ts"
import { notice, type Noticed, type Place, search } from "./notice.ts"

/** The file with the table. */
export const TABLE = "test/simulation/FLAWS.md"

const ROW = /^\| (.+?) \| ([\d, ]+) \| (\d+) \| (\d+) \|$/gm

/** A row of the table: the flaw's name, and the world that it was noticed in. */
export interface Row extends Place {
  readonly name: string
  /** The row as it is written. */
  readonly text: string
}

/** The rows that the table has. */
export const rowsOf = (readme: string): ReadonlyArray<Row> =>
  [...readme.matchAll(ROW)].map(([text, name = "", , seed, payments]) => ({
    name,
    text,
    seed: Number(seed),
    payments: Number(payments),
  }))

/** Returns a flaw's row of the table. */
export const rowOf = ({ name }: Flaw, { numbers, payments, seed }: Noticed): string =>
  `| ${name} | ${numbers.join(", ")} | ${seed} | ${payments} |`

/** Plays the table's world for a flaw, and searches for another if the flaw does not show in it. */
export const look = (flaw: Flaw, rows: ReadonlyArray<Row>, seeds: number): Noticed | undefined => {
  const row = rows.find(({ name }) => name === flaw.name)
  return (row && notice(flaw, row)) ?? search(flaw, seeds)
}

/** The number of seeds for a run by hand. */
const BY_HAND = 1_000

const HEAD = "| what is wrong | noticed by | seed | payments |\n|---|---|---|---|\n"

const write = async (): Promise<void> => {
  const readme = await sourceText(TABLE)
  const rows = process.argv.includes("--anew") ? [] : rowsOf(readme)
  const lines = FLAWS.map((flaw) => {
    const noticed = look(flaw, rows, BY_HAND)
    if (noticed === undefined) throw new Error(`Nothing notices this: ${flaw.name}`)
    process.stdout.write(`${rowOf(flaw, noticed)}\n`)
    return rowOf(flaw, noticed)
  })
  const from = readme.indexOf(HEAD) + HEAD.length
  const to = readme.indexOf("\n\n", from)
  const table = `${readme.slice(0, from)}${lines.join("\n")}${readme.slice(to)}`
  await writeFile(join(projectRoot, TABLE), table)
}

// `node test/simulation/table.ts` writes the table; rows that are true stay, except with `--anew`.
if (process.argv[1] === import.meta.filename) await write()
