import { resolve } from "node:path"
import { anyText, BadOptions, readCommandLine } from "../commandLine.ts"
import { buildDocs } from "./buildDocs.ts"

const HELP = `Writes the documentation as static files: a page as HTML and as Markdown, the index of
its search, llms.txt and llms-full.txt. Any web server can serve the folder, under any path.

  npm run docs                  into dist/docs, which the service serves under /docs
  npm run docs -- --out DIR     into a folder of yours, which is made, or emptied first

  --out DIR        where to write
  --if-stale       do nothing where nothing that it is made of has changed
  --help           this text
`

const main = async (): Promise<number> => {
  try {
    const read = readCommandLine(process.argv.slice(2), { out: anyText, "if-stale": "flag" })
    if (read === undefined) {
      process.stdout.write(HELP)
      return 0
    }
    const { "if-stale": ifStale, out } = read.given
    const written = await buildDocs({ out: out === undefined ? undefined : resolve(out), ifStale })
    // The output of a start belongs to the service, so this is not printed then.
    if (written !== undefined && !ifStale) {
      process.stdout.write(`${written.files} files in ${written.folder}\n`)
    }
    return 0
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

process.exitCode = await main()
