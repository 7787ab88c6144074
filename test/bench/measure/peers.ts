import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { median } from "../../../apps/bench/statistics.ts"
import { type Bench, type Running, withService } from "../Bench.ts"
import { install } from "../peers/install.ts"
import { LIBRARIES, type Library, type PeerJob, type PeerSaid } from "../peers/Peer.ts"
import { spentOn } from "../processorTime.ts"
import { type Receivers, withReceivers } from "../receivers.ts"
import { bodyOfSeeded } from "../seedDeliveries.ts"
import { drain, drained, register, type Told } from "./deliveries.ts"

const program = fileURLToPath(import.meta.resolve("../peers/main.ts"))

const RECEIVERS = 10

const VERSIONS: { readonly [L in Library]: string } = {
  "graphile-worker": "0.18.0",
  "pg-boss": "12.38.0",
}

/** The cost of deliveries, without the receiver's. */
interface Drained {
  /** Deliveries a second. */
  readonly rate: number
  readonly worker: number
  readonly database: number
}

/** The same deliveries to the same receivers, made by payport and by libraries for jobs. */
export interface Peers {
  readonly count: number
  readonly own: Drained
  readonly others: ReadonlyArray<
    Drained & {
      readonly name: string
      /** payport's rate divided by the library's, median of the rounds. */
      readonly rateRatio: number
      /** The library's cost of a delivery divided by payport's. */
      readonly costRatio: number
    }
  >
}

const heard = async (child: ReturnType<typeof fork>): Promise<void> => {
  const [said] = (await once(child, "message")) as [PeerSaid]
  if (typeof said === "object") throw new Error(`A peer failed: ${said.failed}`)
}

/** A drain by a library, in its own process and on its own database. */
const drainBy = async (
  bench: Bench,
  receivers: Receivers,
  job: Omit<PeerJob, "databaseUrl">,
): Promise<Drained> => {
  const database = `bench_peer_${job.library.replace("-", "_")}`
  await bench.server.create(database)
  const child = fork(program, { execArgv: [] })
  try {
    child.send({ ...job, databaseUrl: bench.server.url(database) } satisfies PeerJob)
    await heard(child)
    await bench.server.query(database, "ANALYZE")
    await bench.server.checkpoint()
    await receivers.forget()
    const runs = { service: { pid: child.pid ?? 0 }, database }
    const { result, spent } = await spentOn(bench, runs, async () => {
      child.send("go")
      return drained(runs, receivers, job.count)
    })
    return {
      rate: job.count / result.seconds,
      worker: (spent.service * 1e6) / job.count,
      database: (spent.database * 1e6) / job.count,
    }
  } finally {
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
    await bench.server.drop(database)
  }
}

const known = (microseconds: number | null): number => {
  if (microseconds === null) throw new Error("This system does not tell processor times.")
  return microseconds
}

const drainOwn = async (bench: Bench, running: Running, told: Told, batch: string) => {
  await told.receivers.forget()
  const { cpu, rate } = await drain(bench, running, told, batch)
  return { rate, worker: known(cpu.service), database: known(cpu.database) }
}

const middle = (rounds: ReadonlyArray<Drained>): Drained => ({
  rate: median(rounds.map(({ rate }) => rate)),
  worker: median(rounds.map(({ worker }) => worker)),
  database: median(rounds.map(({ database }) => database)),
})

const cost = ({ database, worker }: Drained): number => database + worker

/** Drains in turns, round by round. */
const take = async (bench: Bench, running: Running, receivers: Receivers, folder: string) => {
  const { options, progress } = bench
  const told = await register(running, receivers)
  const job = { folder, ports: receivers.quick, count: options.deliveries, body: bodyOfSeeded() }
  const own: Array<Drained> = []
  const others = LIBRARIES.map((library) => ({ library, rounds: [] as Array<Drained> }))
  const step = (what: string, work: () => Promise<Drained>) =>
    progress.step(`peers: ${what}`, options.deliveries / 1_000, work)
  for (let round = 1; round <= options.rounds; round++) {
    const batch = (0xa000 + round).toString(16)
    own.push(await step(`payport, ${round}`, () => drainOwn(bench, running, told, batch)))
    for (const { library, rounds } of others) {
      const work = () => drainBy(bench, receivers, { ...job, library })
      rounds.push(await step(`${library}, ${round}`, work))
    }
  }
  return { own, others }
}

/** Compares deliveries with those of job libraries that send the same requests. */
export const measurePeers = async (bench: Bench): Promise<Peers> => {
  const folder = join(bench.folder, "peers")
  await bench.progress.step("peers: installing", 20, () => install(folder, VERSIONS))
  const { others, own } = await withReceivers(RECEIVERS, (receivers) =>
    withService(bench, "bench_peers", (running) => take(bench, running, receivers, folder)),
  )
  const compare = (of: (theirs: Drained, ours: Drained) => number, rounds: Array<Drained>) =>
    median(
      rounds.flatMap((theirs, round) => {
        const ours = own[round]
        return ours === undefined ? [] : [of(theirs, ours)]
      }),
    )
  return {
    count: bench.options.deliveries,
    own: middle(own),
    others: others.map(({ library, rounds }) => ({
      name: library,
      ...middle(rounds),
      rateRatio: compare((theirs, ours) => ours.rate / theirs.rate, rounds),
      costRatio: compare((theirs, ours) => cost(theirs) / cost(ours), rounds),
    })),
  }
}
