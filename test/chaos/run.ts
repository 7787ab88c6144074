import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Chaos, Result } from "./Chaos.ts"
import { failover } from "./failover.ts"
import { kill } from "./kills.ts"
import { MEASURING, type Options, type Part, PARTS } from "./options.ts"
import { outage } from "./outages.ts"
import { overload } from "./overload.ts"
import { patroni } from "./patroni/patroni.ts"
import { readOnlyFailover } from "./readOnly.ts"
import { explain } from "../support/commandLine.ts"
import { replicas } from "./replicas/replicas.ts"
import { race } from "./races/race.ts"
import { TARGETS } from "./races/targets.ts"
import { soak } from "./soak.ts"
import { trouble } from "./troubles.ts"

const work: { readonly [P in Part]: (chaos: Chaos) => Promise<Result> } = {
  races: race,
  service: (chaos) => kill(chaos, "service"),
  database: (chaos) => kill(chaos, "database"),
  failover,
  patroni,
  slow_disk: (chaos) => trouble(chaos, "slow_disk"),
  full_disk: (chaos) => trouble(chaos, "full_disk"),
  lost_webhooks: (chaos) => trouble(chaos, "lost_webhooks"),
  skewed_clock: (chaos) => trouble(chaos, "skewed_clock"),
  hang: (chaos) => outage(chaos, "hang"),
  readonly: readOnlyFailover,
  connections: (chaos) => outage(chaos, "connections"),
  replicas,
  overload,
  soak,
}

/** The counts of a part that aborted. */
const NOTHING = { acknowledged: 0, put_off: 0, back_after: 0, back_after_median: 0 }

/** How many rounds a part has. */
export const roundsOf = ({ rounds }: Options, part: Part): number =>
  part === "races" ? TARGETS.length * rounds.races : rounds[part]

/** Does a part. One that breaks off takes the results of the others with it no more. */
const workOn = async (part: Part, chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  let rounds = 0
  const tell = (done: number): void => chaos.tell((rounds = done))
  try {
    return await work[part]({ ...chaos, tell })
  } catch (error) {
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const violations = [`it broke off: ${explain(error)}`]
    return { part, rounds, ...NOTHING, seconds, violations }
  }
}

/** Does a part in a temporary folder. */
const workIn = async (part: Part, options: Options, begin: Begin): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-chaos-"))
  try {
    return await workOn(part, { options, folder, tell: begin(part) })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

type Begin = (part: Part) => Chaos["tell"]

/**
 * Does the chosen parts, as many at the same time as the options say, and those that measure one
 * after another. Returns the results in the order of the parts.
 */
export const run = async (options: Options, begin: Begin): Promise<ReadonlyArray<Result>> => {
  const asked = PARTS.filter((part) => options.only.has(part))
  const results = new Map<Part, Result>()
  const workOff = async (parts: Array<Part>): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      results.set(part, await workIn(part, options, begin))
    }
  }
  const sharing = asked.filter((part) => !MEASURING.has(part))
  await Promise.all(Array.from({ length: options.beside }, () => workOff(sharing)))
  await workOff(asked.filter((part) => MEASURING.has(part)))
  return asked.flatMap((part) => results.get(part) ?? [])
}
