import { type Bench, countIntents, create, type Running, withService } from "../Bench.ts"
import { seedIntents } from "../seed.ts"
import { median } from "../../../apps/bench/statistics.ts"

const STORED = 1_000_000
const TARGET = 0.85

/** Creation beside a million stored payments. */
export interface StoredEffect {
  readonly stored: number
  /** Creations a second, medians, with none stored before and with all. */
  readonly none: number
  readonly all: number
  readonly ratio: number
  readonly target: number
  readonly met: boolean
}

const empty = async ({ server }: Bench, { database }: Running) => {
  await server.query(database, "TRUNCATE payment_intents, replies")
  await server.query(database, "ANALYZE payment_intents, replies")
}

const alternate = async (bench: Bench, none: Running, all: Running) => {
  const {
    options: { rounds, seconds, warmUp },
    progress,
    server,
  } = bench
  await progress.step("stored: storing 1,000,000 payments", 60, () =>
    seedIntents(server, all, STORED),
  )
  if ((await countIntents(bench, all.database)) !== STORED + 1) {
    throw new Error("The database does not hold the payments that it was to be filled with.")
  }
  const load = async (running: Running, lasting: number) => {
    await server.checkpoint()
    const { rate } = await create(bench, running, { until: { seconds: lasting } })
    return rate
  }
  await progress.step("stored: warm-up", 2 * warmUp, async () => {
    if (warmUp === 0) return
    await load(none, warmUp)
    await load(all, warmUp)
  })
  const rates: { readonly none: Array<number>; readonly all: Array<number> } = { none: [], all: [] }
  for (let round = 1; round <= rounds; round++) {
    await progress.step(`stored: round ${round} of ${rounds}`, 2 * seconds, async () => {
      await empty(bench, none)
      rates.none.push(await load(none, seconds))
      rates.all.push(await load(all, seconds))
    })
  }
  return { none: median(rates.none), all: median(rates.all) }
}

/** Creation with a million stored payments, in turns with creation on emptied tables. */
export const measureStored = async (bench: Bench): Promise<StoredEffect> => {
  const { all, none } = await withService(bench, "bench_stored_none", (none) =>
    withService(bench, "bench_stored_all", (all) => alternate(bench, none, all)),
  )
  const ratio = all / none
  return { stored: STORED, none, all, ratio, target: TARGET, met: ratio >= TARGET }
}
