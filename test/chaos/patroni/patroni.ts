import { memoryOf } from "../../bench/processes.ts"
import { type Chaos, type Result, starter, Trial, untilReady } from "../Chaos.ts"
import type { Load } from "../orders.ts"
import { Cluster } from "./Cluster.ts"
import type { Node } from "./Node.ts"

/** How soon the service has to be back after another server has taken over, in milliseconds. */
const BACK_WITHIN = 10_000

/** A way to lose a primary, and to make a standby of it afterwards. */
interface Loss {
  readonly name: string
  readonly begin: (primary: Node) => Promise<void>
  readonly heal: (primary: Node) => Promise<void>
}

const nothing = () => Promise.resolve()

/** In this order, again and again. */
const LOSSES: ReadonlyArray<Loss> = [
  { name: "its PostgreSQL is killed", begin: (node) => node.killServer(), heal: nothing },
  {
    name: "its machine is lost",
    begin: (node) => node.kill(),
    heal: (node) => node.start(),
  },
  { name: "it hands over", begin: (node) => node.handOver(), heal: nothing },
]

const failOver = async (trial: Trial<Cluster>, { begin, heal, name }: Loss): Promise<void> => {
  const { server: cluster, violations } = trial
  const primary = cluster.leader
  await trial.round(async (load: Load) => {
    await begin(primary)
    await cluster.succeeded()
    await trial.backInTime(load, `the end of a primary: ${name}`, undefined, BACK_WITHIN)
    if (!(await untilReady(trial.service, true))) {
      violations.push("a minute after a standby took over the service was not ready")
    }
  }, false)
  await heal(primary)
  await cluster.whole()
  // A payment that waited for its capture over rounds would end with its time.
  await trial.settle()
}

/**
 * Prints the time and memory of a round. They must not grow with the rounds, except by the
 * payments.
 */
const tell = async (trial: Trial<Cluster>, loss: Loss, began: number): Promise<void> => {
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  const { resident } = await memoryOf(trial.service.pid)
  const memory = [resident, process.memoryUsage.rss() / 1024 / 1024].map(Math.round)
  process.stderr.write(
    `\n${loss.name}: back after ${trial.backAfter} ms, ${seconds} s in all, ` +
      `${trial.asked} payments so far, service and clients at ${memory.join(" and ")} MB\n`,
  )
}

/**
 * Takes its primary from a service under load, again and again, in three ways, each of which
 * Patroni answers with another primary. The service knows all servers and looks for the one itself.
 */
export const patroni = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.rounds.patroni
  const cluster = await Cluster.start(chaos.folder)
  let trial: Trial<Cluster> | undefined
  try {
    const start = await starter(chaos, "patroni", cluster.url)
    trial = await Trial.open(chaos, await start(), cluster)
    for (let round = 0; round < rounds; round += 1) {
      const loss = LOSSES[round % LOSSES.length]
      if (loss === undefined) throw new Error("There is no way of losing a primary.")
      const since = performance.now()
      await failOver(trial, loss)
      chaos.tell(round + 1)
      await tell(trial, loss, since)
    }
    return await trial.end("patroni", rounds, began)
  } finally {
    await trial?.abandon()
    await cluster.stop()
  }
}
