import { type Bench, create, type Running, withService } from "../Bench.ts"
import { spentOn } from "../processorTime.ts"
import { median } from "../../../apps/bench/statistics.ts"

/** Microseconds of a core per creation. */
interface Spent {
  /** Of all threads of the service's process. */
  readonly service: number
  /** Of the service's database sessions. */
  readonly database: number
}

/** The processor time of a creation, alone and compared with another build. */
export interface Cost {
  readonly own: Spent
  /** Medians of the other build and of the ratios round by round; null without one. */
  readonly other: (Spent & { readonly ratio: number }) | null
}

const round = async (bench: Bench, running: Running): Promise<Spent> => {
  await bench.server.checkpoint()
  const { result, spent } = await spentOn(bench, running, () =>
    create(bench, running, { until: { seconds: bench.options.seconds } }),
  )
  const per = (seconds: number) => (seconds * 1e6) / result.acknowledged
  return { service: per(spent.service), database: per(spent.database) }
}

const medians = (rounds: ReadonlyArray<Spent>): Spent => ({
  service: median(rounds.map(({ service }) => service)),
  database: median(rounds.map(({ database }) => database)),
})

const total = ({ database, service }: Spent): number => database + service

const take = async (
  bench: Bench,
  builds: ReadonlyArray<Running>,
): Promise<ReadonlyArray<ReadonlyArray<Spent>>> => {
  const { rounds, seconds, warmUp } = bench.options
  const spent = builds.map((): Array<Spent> => [])
  for (const running of builds) {
    await bench.progress.step("cost: warm-up", warmUp, () =>
      create(bench, running, { until: { seconds: Math.max(1, warmUp) } }),
    )
  }
  for (let number = 1; number <= rounds; number++) {
    for (const [index, running] of builds.entries()) {
      const what = `cost: round ${number} of ${rounds}, build ${index + 1} of ${builds.length}`
      const found = await bench.progress.step(what, seconds, () => round(bench, running))
      spent[index]?.push(found)
    }
  }
  return spent
}

/**
 * Processor time of a durable creation, of the service and of the database together: the figure
 * that holds on a noisy machine. With `--against` another build takes every second round.
 */
export const measureCost = (bench: Bench): Promise<Cost> =>
  withService(bench, "bench_cost", async (running) => {
    const { against } = bench.options
    if (against === undefined) {
      const [own = []] = await take(bench, [running])
      return { own: medians(own), other: null }
    }
    const otherBench = { ...bench, options: { ...bench.options, service: against } }
    return withService(otherBench, "bench_cost_against", async (other) => {
      const [own = [], others = []] = await take(bench, [running, other])
      const ratios = own.flatMap((spent, number) => {
        const beside = others[number]
        return beside === undefined ? [] : [total(spent) / total(beside)]
      })
      return { own: medians(own), other: { ...medians(others), ratio: median(ratios) } }
    })
  })
