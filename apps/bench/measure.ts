import { identifyService } from "../simulate/blackbox/identifyService.ts"
import { HttpConnection } from "../simulate/blackbox/HttpConnection.ts"
import { CannotMeasure } from "./CannotMeasure.ts"
import type { Outcome } from "./load/Job.ts"
import { putLoad } from "./load/putLoad.ts"
import type { Options } from "./options.ts"
import { Progress } from "./progress.ts"
import { openAccounts, openShop } from "./shop.ts"
import { median } from "./statistics.ts"

/** The results, as `--json` prints them. */
export interface Measured {
  readonly url: string
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
  /** Creations a second: the median of the rounds, and each of them. */
  readonly rate: number
  readonly rates: ReadonlyArray<number>
  /** Medians of the rounds, and the longest of all. */
  readonly latency_ms: { readonly p50: number; readonly p99: number; readonly most: number }
  /** The share of a core that the load itself used, from 0 to 1. */
  readonly load_cpu: number
}

const round = (value: number) => Math.round(value * 100) / 100

const summary = (url: string, options: Options, found: ReadonlyArray<Outcome>): Measured => {
  const { connections, rounds, seconds } = options
  const middle = (of: (outcome: Outcome) => number) => round(median(found.map(of)))
  return {
    url,
    connections,
    rounds,
    seconds,
    rate: middle(({ rate }) => rate),
    rates: found.map(({ rate }) => round(rate)),
    latency_ms: {
      p50: middle(({ latency }) => latency.p50),
      p99: middle(({ latency }) => latency.p99),
      most: round(Math.max(...found.map(({ latency }) => latency.most))),
    },
    load_cpu: middle(({ cpu }) => cpu / seconds),
  }
}

/** Describes what is wrong with an answer. */
const flawOf = ([example = ""]: ReadonlyArray<string>): string =>
  example.includes("\nHTTP/1.1 429 ")
    ? "The service limits the rate of its callers (429). Start it with PAYPORT_RATE_LIMITS=off."
    : `A response was wrong: ${example}`

/** Measures a sandbox in rounds. Throws `CannotMeasure`. */
export const measure = async (
  { adminKey, url }: { readonly url: string; readonly adminKey: string },
  options: Options,
): Promise<Measured> => {
  const { connections, rounds, seconds, warmUp } = options
  const progress = new Progress(warmUp + rounds * seconds)
  if (!(await identifyService(new HttpConnection(url))).sandbox) {
    throw new CannotMeasure(`${url} is in live mode. Only a sandbox can be measured.`)
  }
  const { agentId, place } = await openAccounts(url, adminKey)
  const { body } = await openShop(place, agentId)
  const load = async (lasting: number) => {
    const outcome = await putLoad({
      url,
      connections,
      key: place.buyerKey,
      request: { type: "create", body },
      warmUp: 0,
      until: { milliseconds: lasting * 1_000 },
    })
    if (outcome.errors > 0) throw new CannotMeasure(flawOf(outcome.examples))
    return outcome
  }
  if (warmUp > 0) await progress.step("warm-up", warmUp, () => load(warmUp))
  const found: Array<Outcome> = []
  let before = process.cpuUsage()
  for (let n = 1; n <= rounds; n += 1) {
    const outcome = await progress.step(`round ${n} of ${rounds}`, seconds, () => load(seconds))
    const { system, user } = process.cpuUsage(before)
    before = process.cpuUsage()
    found.push({ ...outcome, cpu: (system + user) / 1e6 })
  }
  return summary(url, options, found)
}
