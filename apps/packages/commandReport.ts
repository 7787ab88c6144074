import { entriesReport } from "./apiReport.ts"
import type { Manifest } from "./Manifest.ts"
import { USAGE as BENCH } from "../bench/options.ts"
import { allUsage } from "../grade/graders.ts"
import { USAGE as LISTEN } from "../listen/options.ts"
import { USAGE as MCP } from "../mcp-stdio/options.ts"
import { USAGE as RECORD } from "../record/options.ts"
import { help, helpFor } from "../server/settings.ts"
import { USAGE as SIMULATE } from "../simulate/options.ts"

const OWN = ["start", "migrate", "move", "archive", "doctor", "audit", "rotate-master-key"]

/** The text of each command's `--help`. */
export const COMMAND_TEXTS: ReadonlyArray<readonly [name: string, text: string]> = [
  ...OWN.map((name) => [name, helpFor(name)] as const),
  ["bench", BENCH],
  ["simulate", SIMULATE],
  ["grade", await allUsage()],
  ["listen", LISTEN],
  ["record", RECORD],
  ["mcp", MCP],
]

/** Returns the texts of the commands of `@payport/server`. Users notice every change of them. */
export const commandReport = (): string => {
  const all = [["--help", help], ...COMMAND_TEXTS]
  const parts = all.map(([name, text]) => `## payport ${name}\n\n\`\`\`text\n${text}\`\`\`\n`)
  return ["# What @payport/server shows\n\nWritten by `npm run generate`.\n", ...parts].join("\n")
}

/** The same, and what its entries show. */
export const serverReport = async (dist: string, manifest: Manifest): Promise<string> =>
  [commandReport(), await entriesReport(dist, manifest)].join("\n")
