import { text } from "node:stream/consumers"
import type { Job } from "../../../apps/bench/load/Job.ts"
import { putLoad } from "../../../apps/bench/load/putLoad.ts"

const outcome = await putLoad(JSON.parse(await text(process.stdin)) as Job)
process.stdout.write(JSON.stringify(outcome))
