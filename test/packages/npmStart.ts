import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { projectRoot } from "../support/sourceFiles.ts"
import { start } from "./Scratch.ts"

/** The output of `npm start`, without npm's own lines. */
const WANTED = [
  /^compiling …$/,
  /^payport ready on http:\/\/127\.0\.0\.1:\d+$/,
  /^ {2}keys {13}\S/,
  /^ {2}next {13}\S/,
]

/** Runs `npm start` as the README says, on an empty data folder. Returns what was otherwise. */
export const tryNpmStart = async (): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-npm-start-"))
  try {
    const env = { PAYPORT_PORT: "0", PAYPORT_PROBE_PORT: "off", PAYPORT_DATA_DIR: folder }
    const { line, stop } = await start(
      "npm",
      ["start"],
      { cwd: projectRoot, env },
      /^ {2}next .*\n/m,
    )
    await stop()
    const said = line.input.split("\n").filter((one) => !/^(?:$|> |npm )/.test(one))
    const isWanted =
      said.length === WANTED.length && WANTED.every((wanted, n) => wanted.test(said[n] ?? ""))
    return isWanted ? [] : [`npm start says other lines than it should:\n${said.join("\n")}`]
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
