import { fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Redacted } from "effect"
import { median } from "../../../apps/bench/statistics.ts"
import type { Bench } from "../Bench.ts"
import { type MedusaJob, type MedusaSaid, type MedusaSetUp, PRICE } from "../medusa/Medusa.ts"
import { install } from "../peers/install.ts"
import { spentOn } from "../processorTime.ts"
import { type Lived, middle, type Timed, whole, withLife } from "./life.ts"

const program = fileURLToPath(import.meta.resolve("../medusa/main.ts"))

const PACKAGES = { "@medusajs/framework": "2.21.2", "@medusajs/payment": "2.21.2" }

/** Medusa's command line and its Redis store are not installed, since the module needs neither. */
const WITHOUT_PEERS = ["--legacy-peer-deps"]

/** Times as many lives a second. */
const TARGET = 12

/**
 * Connections and simultaneous lives: the default of Medusa's server. More do not make it faster.
 */
const CONNECTIONS = 10

const DATABASE = "bench_medusa"

/** Whole lives of payport compared with those of Medusa's payment module. */
export interface MedusaLives {
  /** Lives in each round of either. */
  readonly lives: { readonly own: number; readonly other: number }
  readonly own: Timed
  /** Up to the refund, and up to the capture. */
  readonly others: ReadonlyArray<
    Timed & {
      readonly name: string
      /** payport's lives a second by these, median of the rounds. */
      readonly rateRatio: number
      /** Medusa's processor time divided by payport's. */
      readonly costRatio: number
      readonly met: boolean
    }
  >
  readonly target: number
}

interface Medusa {
  readonly pid: number
  readonly go: (job: MedusaJob) => Promise<void>
}

/** Its ORM takes a socket's folder as the host alone. */
const urlOf = ({ server }: Bench): string => {
  const { database, host, password, port, username } = server.connection(DATABASE)
  const login = `${username}:${Redacted.value(password)}`
  return `postgresql://${login}@${encodeURIComponent(host)}:${port}/${database}?sslmode=disable`
}

/** Runs the module in a separate process while `use` runs. */
const withMedusa = async <A>(
  bench: Bench,
  folder: string,
  use: (medusa: Medusa) => Promise<A>,
): Promise<A> => {
  await bench.server.create(DATABASE)
  const child = fork(program, {
    execArgv: [],
    cwd: folder,
    env: { ...process.env, NODE_ENV: "production", MEDUSA_DISABLE_TELEMETRY: "1" },
    // Medusa prints its migrations to standard output, which is for the results.
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
  const ask = async (question: MedusaSetUp | MedusaJob) => {
    const ended = new AbortController()
    const stop = () => ended.abort(new Error("Medusa's process ended by itself."))
    child.once("exit", stop)
    const answer = once(child, "message", { signal: ended.signal })
    child.send(question)
    const [said] = (await answer) as [MedusaSaid]
    child.removeListener("exit", stop)
    if (said !== "done") throw new Error(`Medusa failed: ${said.failed}`)
  }
  try {
    await ask({ folder, databaseUrl: urlOf(bench), connections: CONNECTIONS })
    return await use({ pid: child.pid ?? 0, go: ask })
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, "exit")
      child.kill("SIGKILL")
      await exited
    }
    await bench.server.drop(DATABASE)
  }
}

/** One after the other: first all lives as far as their capture, then all refunds. */
const round = async (bench: Bench, { go, pid }: Medusa, lives: number) => {
  await bench.server.checkpoint()
  const runs = { service: { pid }, database: DATABASE }
  const timed = async (job: MedusaJob): Promise<Timed & { readonly seconds: number }> => {
    const started = performance.now()
    const { spent } = await spentOn(bench, runs, () => go(job))
    const seconds = (performance.now() - started) / 1_000
    return {
      seconds,
      rate: lives / seconds,
      service: (spent.service * 1e6) / lives,
      database: (spent.database * 1e6) / lives,
    }
  }
  const captured = await timed({ pay: lives })
  const refunded = await timed("refund")
  return {
    captured,
    refunded: {
      rate: lives / (captured.seconds + refunded.seconds),
      service: captured.service + refunded.service,
      database: captured.database + refunded.database,
    },
  }
}

/** Fails unless the database holds exactly the lives that were acknowledged, each to its end. */
const check = async ({ server }: Bench, expected: number) => {
  const [row] = await server.query(
    DATABASE,
    `SELECT count(*)::int AS n FROM public.payment_collection
     WHERE status = 'completed'
       AND captured_amount = $1::numeric AND refunded_amount = $1::numeric`,
    [String(PRICE.amount)],
  )
  const stored = Number(row?.["n"])
  if (stored !== expected) throw new Error(`Of ${expected} lives of Medusa, ${stored} are stored.`)
}

const cost = ({ database, service }: Timed): number => database + service

const compare = (name: string, theirs: ReadonlyArray<Timed>, ours: ReadonlyArray<Timed>) => {
  const ratio = (of: (their: Timed, our: Timed) => number) =>
    median(
      theirs.flatMap((their, number) => {
        const our = ours[number]
        return our === undefined ? [] : [of(their, our)]
      }),
    )
  const rateRatio = ratio((their, our) => our.rate / their.rate)
  const costRatio = ratio((their, our) => cost(their) / cost(our))
  return { name, ...middle(theirs), rateRatio, costRatio, met: rateRatio >= TARGET }
}

const take = async (bench: Bench, lived: Lived, medusa: Medusa): Promise<MedusaLives> => {
  const { options, progress } = bench
  // A tenth of payport's take about as long, and say as much.
  const lives = { own: options.lives, other: Math.max(200, Math.round(options.lives / 10)) }
  const step = <A>(what: string, work: () => Promise<A>) =>
    progress.step(`medusa: ${what}`, options.lives / 100, work)
  await step("warm-up of payport", () => whole(bench, lived, lives.own))
  await step("warm-up of Medusa", () => round(bench, medusa, lives.other))
  const own: Array<Timed> = []
  const others: Array<Awaited<ReturnType<typeof round>>> = []
  for (let number = 1; number <= options.rounds; number++) {
    own.push(await step(`payport, ${number}`, () => whole(bench, lived, lives.own)))
    others.push(await step(`Medusa, ${number}`, () => round(bench, medusa, lives.other)))
  }
  await check(bench, lives.other * (options.rounds + 1))
  const to = (name: string, of: "captured" | "refunded") =>
    compare(
      name,
      others.map((one) => one[of]),
      own,
    )
  return {
    lives,
    own: middle(own),
    others: [to("Medusa, to the refund", "refunded"), to("Medusa, to the capture", "captured")],
    target: TARGET,
  }
}

/** Whole lives of payport and of Medusa's payment module, in turns on the same server. */
export const measureMedusa = async (bench: Bench): Promise<MedusaLives> => {
  const folder = join(bench.folder, "medusa")
  const installing = () => install(folder, PACKAGES, WITHOUT_PEERS)
  await bench.progress.step("medusa: installing", 60, installing)
  return withLife(bench, "bench_medusa_own", (lived) =>
    withMedusa(bench, folder, (medusa) => take(bench, lived, medusa)),
  )
}
