import { connect } from "./Connection.ts"
import type { Job, Outcome } from "./Job.ts"
import { Latencies } from "./Latencies.ts"
import { requestsOf } from "./requests.ts"

const EXAMPLES = 3

/**
 * Puts load on a service until the end of the job, and waits for all open answers. It ends early if
 * an answer is wrong.
 */
export const putLoad = (job: Job): Promise<Outcome> =>
  new Promise((resolve) => {
    const latencies = new Latencies()
    const examples: Array<string> = []
    const url = new URL(job.url)
    const started = performance.now()
    const from = started + job.warmUp
    const until = "milliseconds" in job.until ? from + job.until.milliseconds : Infinity
    let toSend = "requests" in job.until ? job.until.requests : Infinity
    let acknowledged = 0
    let answered = 0
    let errors = 0
    let last = from
    let open = job.connections

    const count = (flaw: string | undefined, milliseconds: number) => {
      if (flaw !== undefined) {
        errors += 1
        if (examples.length < EXAMPLES) examples.push(flaw)
        return
      }
      acknowledged += 1
      const now = performance.now()
      if (now < from || now >= until) return
      last = now
      answered += 1
      latencies.add(milliseconds)
    }
    const goOn = () => performance.now() < until && toSend-- > 0 && errors === 0
    const ended = () => {
      open -= 1
      if (open > 0) return
      const { system, user } = process.cpuUsage()
      resolve({
        answered,
        acknowledged,
        errors,
        examples,
        rate: answered / (((until === Infinity ? last : until) - from) / 1000),
        latency: {
          p50: latencies.within(0.5),
          p99: latencies.within(0.99),
          most: latencies.most,
        },
        cpu: (system + user) / 1e6,
      })
    }
    for (let n = 0; n < job.connections; n++) {
      connect(url, requestsOf(job), { answered: count, goOn, ended })
    }
  })
