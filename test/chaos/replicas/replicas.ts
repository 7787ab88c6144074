import { Effect, Exit, Scope } from "effect"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { median } from "../../../apps/bench/statistics.ts"
import type { Service } from "../../bench/service.ts"
import { CuttingProxy } from "../../support/CuttingProxy.ts"
import { type Chaos, type Result, starter, untilReady } from "../Chaos.ts"
import { flaws } from "../judge.ts"
import { Postgres } from "../Postgres.ts"
import { throughProxy } from "../proxied.ts"
import { openReceiver, type Receiver } from "../receiver.ts"
import { pair } from "../standby.ts"
import { readsFromReplica, untilRead, untilStates } from "./Followed.ts"
import { Readers } from "./Readers.ts"
import { LONGEST_LAG, signalAll, STRIKES, type Struck, writeApart } from "./strikes.ts"

/**
 * The longest time of an answer, in milliseconds: two seconds for the replica, and one for the
 * primary.
 */
const ANSWERED_WITHIN = 3_000

/** A replica that is right again is read within this, in milliseconds. */
const READ_WITHIN = 10_000

/** Commits do not wait for the standby. */
const ALONE = { options: { asynchronous: true } }

interface Setting extends Struck {
  readonly primary: Postgres
  readonly services: ReadonlyArray<Service>
  readonly readers: Readers
  readonly patience: number
  readonly violations: Array<string>
  readonly backAfter: Array<number>
}

/** Reads go to the replica soon after that. */
const readAgain = async (setting: Setting, after: string): Promise<void> => {
  const { backAfter, patience, services, violations } = setting
  const took = await untilRead(services, READ_WITHIN * patience)
  if (took !== undefined) return void backAfter.push(Math.round(took))
  violations.push(`${READ_WITHIN * patience} ms after ${after} a process did not read from it`)
}

/** Checks that no process reads from a promoted server, which keeps running alone. */
const readsNothing = async ({ services, standby, violations }: Setting): Promise<void> => {
  await writeApart(standby)
  const before = await readsFromReplica(services)
  await sleep(1_000)
  const after = await readsFromReplica(services)
  const more = after.reduce((sum, count, n) => sum + count - (before[n] ?? 0), 0)
  if (more > 0) violations.push(`a promoted replica answered ${more} reads`)
}

/** The replica is struck while all read and write, and put right again. */
const round = async (setting: Setting, n: number): Promise<void> => {
  const { patience, primary, readers, services, standby, violations } = setting
  const strike = STRIKES[n % STRIKES.length]
  if (strike === undefined) return
  const before = violations.length
  const load = readers.begin()
  try {
    await readAgain(setting, n === 0 ? "the start" : "the round before")
    await strike.begin(setting)
    await sleep(strike.lasts)
    const { end, seen } = strike
    if (seen && !(await untilStates(services, seen, READ_WITHIN * patience))) {
      violations.push(`a process did not say that the replica is ${seen}`)
    }
    if (end === undefined) await readsNothing(setting)
    else {
      await end(setting)
      await readAgain(setting, "the end of that")
    }
  } finally {
    await readers.end(load)
    const found = violations.splice(before)
    violations.push(...found.map((one) => `${one} (round ${n + 1}: ${strike.name})`))
  }
  if (strike.end !== undefined) return
  await Promise.all([primary.stop(), standby.stop()])
  await pair(ALONE, primary, standby)
  for (const service of services) {
    if (!(await untilReady(service, true))) throw new Error("A process was not ready again.")
  }
  await readers.untilServed()
}

/** Two processes with a primary and a replica; `use` gets them, and nothing stays. */
const withSetting = async (
  chaos: Chaos,
  use: (setting: Setting, receiver: Receiver) => Promise<Result>,
): Promise<Result> => {
  const { clients, patience } = chaos.options
  const [primary, standby] = [
    new Postgres(join(chaos.folder, "primary")),
    new Postgres(join(chaos.folder, "standby")),
  ]
  const scope = Scope.makeUnsafe()
  const services: Array<Service> = []
  const receiver = await openReceiver()
  try {
    await primary.start()
    await primary.stop()
    await pair(ALONE, primary, standby)
    const making = Scope.provide(CuttingProxy.make(standby.connection), scope)
    const proxy = await Effect.runPromise(making)
    const start = await starter(chaos, "replicas", primary.url())
    const variables = {
      PAYPORT_REPLICA_URL: throughProxy(standby.connection, proxy),
      PAYPORT_REPLICA_LAG: String(LONGEST_LAG),
      PAYPORT_TRUSTED_PROXIES: "127.0.0.1",
    }
    // The second finds the accounts that the first has opened.
    for (let n = 0; n < 2; n++) services.push(await start(variables))
    const violations: Array<string> = []
    const limits = { within: ANSWERED_WITHIN * patience, lag: LONGEST_LAG * 1_000 }
    const readers = new Readers(services, receiver.endpoint, limits, violations)
    await readers.open(clients)
    const setting = { primary, standby, proxy, services, readers, patience, violations }
    return await use({ ...setting, backAfter: [] }, receiver)
  } finally {
    for (const service of services) await service.kill()
    await receiver.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await signalAll(standby, "SIGCONT").catch(() => undefined)
    await Promise.all([primary.stop(), standby.stop()])
  }
}

/**
 * Applies faults to a replica while clients read back what they have just written. Each client sees
 * its own acknowledged writes, no answer is older than it says, and no request is refused because
 * of a replica.
 */
export const replicas = (chaos: Chaos): Promise<Result> =>
  withSetting(chaos, async (setting) => {
    const began = performance.now()
    const { backAfter, primary, readers, services, violations } = setting
    const rounds = chaos.options.rounds.replicas
    for (let n = 0; n < rounds; n++) {
      await round(setting, n)
      chaos.tell(n + 1)
    }
    await readers.readAll()
    const { aged, answered, refused } = readers.counts
    if (aged === 0) violations.push("no answer came from the replica")
    violations.push(...(await flaws(primary)))
    for (const service of services) {
      if (!service.runs()) violations.push("a process ended by itself")
      else await service.stop()
    }
    return {
      part: "replicas",
      rounds,
      acknowledged: answered,
      put_off: refused,
      back_after: Math.max(0, ...backAfter),
      back_after_median: backAfter.length === 0 ? 0 : Math.round(median(backAfter)),
      seconds: Math.round((performance.now() - began) / 100) / 10,
      violations,
    }
  })
