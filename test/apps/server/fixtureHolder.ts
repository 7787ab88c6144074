/**
 * Holds a fixture until it is killed. Its argument is the programs as JSON; it prints the service's
 * URL once it has one.
 */
import { type Programs, startWith } from "../../../apps/server/fixture/startPayport.ts"

const programs = JSON.parse(process.argv[2] ?? "") as Programs
const { url } = await startWith(programs)()
process.stdout.write(`${url}\n`)
setInterval(() => undefined, 60_000)
