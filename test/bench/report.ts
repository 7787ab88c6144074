import type { Cost } from "./measure/cost.ts"
import type { Deliveries } from "./measure/deliveries.ts"
import type { Doors } from "./measure/doors.ts"
import type { Exchanges } from "./measure/exchange.ts"
import type { FixtureStart } from "./measure/fixture.ts"
import type { Life } from "./measure/life.ts"
import type { MedusaLives } from "./measure/medusa.ts"
import type { MemoryUse } from "./measure/memory.ts"
import type { Rate } from "./measure/Rate.ts"
import type { PageMeasure } from "./measure/pages.ts"
import type { Peers } from "./measure/peers.ts"
import type { ReplicaCosts } from "./measure/replicas.ts"
import type { ReportTime } from "./measure/report.ts"
import type { SearchTimes } from "./measure/search.ts"
import type { Stalls } from "./measure/stall.ts"
import type { Start } from "./measure/start.ts"
import type { Steps } from "./measure/steps.ts"
import type { StoredEffect } from "./measure/stored.ts"

import { doors } from "./reportDoors.ts"
import { exchange } from "./reportExchange.ts"
import { life, medusa, peers } from "./reportLives.ts"
import { replicas } from "./reportReplicas.ts"
import { areaTable, type Cells, microseconds, percent, table, verdict, whole } from "./tables.ts"

/** The results; a part that did not run is undefined. */
export interface Results {
  readonly machine: {
    readonly cpus: number
    readonly model: string
    readonly node: string
    /** The share of all cores that other programs used before the parts began, at most. */
    readonly busyBefore: number
  }
  readonly create: Rate | undefined
  readonly get: Rate | undefined
  readonly memory: MemoryUse | undefined
  readonly stored: StoredEffect | undefined
  readonly deliveries: Deliveries | undefined
  readonly report: ReportTime | undefined
  readonly search: ReadonlyArray<SearchTimes> | undefined
  readonly steps: Steps | undefined
  readonly cost: Cost | undefined
  readonly replicas: ReplicaCosts | undefined
  readonly doors: Doors | undefined
  readonly 402: Exchanges | undefined
  readonly life: Life | undefined
  readonly peers: Peers | undefined
  readonly medusa: MedusaLives | undefined
  readonly stall: Stalls | undefined
  readonly start: ReadonlyArray<Start> | undefined
  readonly fixture: ReadonlyArray<FixtureStart> | undefined
  readonly pages: ReadonlyArray<PageMeasure> | undefined
}

const rateRow = ({ limit, met, name, rate, ratio, target }: Rate): Cells => [
  `${name}, requests/s`,
  whole(rate),
  limit === null ? "no pgbench" : `${whole(limit.rate)} (${limit.clients} clients)`,
  ratio === null ? "" : ratio.toFixed(3),
  `≥ ${target}`,
  verdict(met),
]

const memoryRow = ({ after, creations, met, target }: MemoryUse): Cells => [
  `memory after ${whole(creations)} creations, MB`,
  after.toFixed(0),
  "",
  "",
  `< ${target}`,
  verdict(met),
]

const storedRow = ({ all, met, none, ratio, stored, target }: StoredEffect): Cells => [
  `creation with ${whole(stored)} stored, requests/s`,
  whole(all),
  `${whole(none)} with none`,
  ratio.toFixed(3),
  `≥ ${target}`,
  verdict(met),
]

const deliveryRow = ({ count, met, rate, target }: Deliveries): Cells => [
  `${whole(count)} due deliveries, deliveries/s`,
  whole(rate),
  "",
  "",
  `≥ ${whole(target)}`,
  verdict(met),
]

const reportRow = ({ longest, met, payments, target }: ReportTime): Cells => [
  `report over ${whole(payments)} payments, s`,
  longest.toFixed(3),
  "",
  "",
  `< ${target}`,
  verdict(met),
]

const startRow = ({ met, name, seconds, target }: Start): Cells => [
  `${name} start of the embedded database, s`,
  seconds.toFixed(3),
  "",
  "",
  `< ${target}`,
  verdict(met),
]

const fixtureRow = ({ met, name, seconds, target }: FixtureStart): Cells => [
  `${name}, s`,
  seconds.toFixed(3),
  "",
  "",
  target === null ? "" : `< ${target}`,
  target === null ? "" : verdict(met),
]

const pageRow = ({ met, name, target, value }: PageMeasure): Cells => [
  name,
  value.toFixed(value < 10 ? 2 : 0),
  "",
  "",
  `≤ ${target}`,
  verdict(met),
]

const reportLine = ({ discrepancies, first, median, rows }: ReportTime): string =>
  `report: ${whole(rows)} rows among ${whole(discrepancies)} discrepancies; the first answer ` +
  `took ${first.toFixed(3)} s, half of the others ${median.toFixed(3)} s or less.`

const deliveryLines = ({ areas, cpu, memory, ...drain }: Deliveries): ReadonlyArray<string> => [
  `deliveries: to ${drain.receivers} receivers; ${whole(drain.besideHanging)} a second beside ` +
    `one that hangs, ${percent(drain.ratio)} of those without it; it was asked ${drain.hung} ` +
    `times, ${drain.mostHanging} at a time at most. ` +
    `Memory ${memory.before.toFixed(0)} MB before, ${memory.peak.toFixed(0)} MB at most, ` +
    `${memory.after.toFixed(0)} MB afterwards. Processor time a delivery: service ` +
    `${microseconds(cpu.service)} µs, receivers ${microseconds(cpu.receivers)} µs, ` +
    `database ${microseconds(cpu.database)} µs.`,
  ...(areas.length === 0 ? [] : [areaTable("step of a delivery", areas)]),
]

const targets = ({
  create,
  deliveries,
  fixture,
  get,
  memory,
  pages,
  report,
  start,
  stored,
}: Results): ReadonlyArray<string> => {
  const rows = [
    ...(create === undefined ? [] : [rateRow(create)]),
    ...(get === undefined ? [] : [rateRow(get)]),
    ...(memory === undefined ? [] : [memoryRow(memory)]),
    ...(stored === undefined ? [] : [storedRow(stored)]),
    ...(deliveries === undefined ? [] : [deliveryRow(deliveries)]),
    ...(report === undefined ? [] : [reportRow(report)]),
    ...(start ?? []).map(startRow),
    ...(fixture ?? []).map(fixtureRow),
    ...(pages ?? []).map(pageRow),
  ]
  const head = ["", "service", "database alone", "ratio", "target", "verdict"]
  return rows.length === 0 ? [] : [table(head, rows)]
}

const rounds = ({ name, p50, p99, rates }: Rate): string =>
  `${name}: rounds of ${rates.map(whole).join(", ")} requests/s; ` +
  `half of the answers within ${p50.toFixed(1)} ms, 99% within ${p99.toFixed(1)} ms.`

const memoryLine = ({ before, peak, rate }: MemoryUse): string =>
  `memory: ${before.toFixed(0)} MB before` +
  (peak === null ? "" : `, ${peak.toFixed(0)} MB at most`) +
  `; ${whole(rate)} creations/s.`

const steps = ({ areas, busy, commit, cpu, functions, idle, p50, rate }: Steps) => {
  const share = (value: number) => percent(value / busy)
  const byArea = [
    ...areas.map(({ area, microseconds: spent }) => [area, microseconds(spent), share(spent)]),
    ["the service's thread, busy", microseconds(busy), "100%"],
    ["the service's thread, idle", microseconds(idle), ""],
  ]
  const processes = [
    ["the service's process, all threads", microseconds(cpu.service)],
    ["the database's process that commits", microseconds(cpu.commits)],
    ["the load", microseconds(cpu.load)],
  ]
  return [
    `What a creation costs, with a profiler attached: ${whole(rate)} creations/s, half of the ` +
      `answers within ${p50.toFixed(1)} ms.`,
    table(["step in the service", "µs", "share"], byArea),
    table(["processor time of", "µs"], processes),
    `Commits leave in groups of ${commit.perGroup.toFixed(1)}, one every ` +
      `${commit.groupTime.toFixed(2)} ms. Their connection decides and writes ` +
      `${percent(commit.working)} of the time, makes the log durable ` +
      `${percent(commit.flushing)}, ` +
      `and waits for the service ${percent(commit.waiting)}; ` +
      `${whole(commit.walBytes)} bytes of log a creation.`,
    table(
      ["dearest functions by themselves", "µs"],
      functions.map(({ microseconds: spent, name }) => [name, microseconds(spent)]),
    ),
  ]
}

const cost = ({ other, own }: Cost): string => {
  const row = (name: string, spent: Cost["own"]) => [
    name,
    microseconds(spent.service),
    microseconds(spent.database),
    microseconds(spent.service + spent.database),
  ]
  const rows = [row("this build", own), ...(other === null ? [] : [row("the other", other)])]
  const spent = table(["processor time of a creation, µs", "service", "database", "both"], rows)
  return other === null
    ? spent
    : `${spent}\n\nRound by round, this build costs ${other.ratio.toFixed(3)} of the other.`
}

const stalls = ({ met, rows, target }: Stalls): string =>
  `${table(
    ["others wait at most, ms, beside", "answer", "wait"],
    rows.map(({ milliseconds, name, status }) => [name, String(status), milliseconds.toFixed(1)]),
  )}\n\nTarget < ${target} ms: ${verdict(met)}.`

const searches = ({ bytes, filled, manifests, met, rows, target }: SearchTimes): string => {
  const head = [
    `searches of ${whole(manifests)} manifests, ms`,
    "p50",
    "p99",
    "service",
    "database",
  ]
  const cells = rows.map(({ database, name, p50, p99, service }) => [
    name,
    p50.toFixed(1),
    p99.toFixed(1),
    service.toFixed(1),
    database.toFixed(1),
  ])
  return (
    `${table(head, cells)}\n\nTarget: every p99 < ${target} ms: ${verdict(met)}. The index took ` +
    `${whole(filled)} s to be filled, and ${whole(bytes)} bytes a manifest. The last two columns ` +
    "are processor time."
  )
}

/** The results as tables for people. */
export const report = (results: Results): string => {
  const { create, deliveries, get, machine, memory } = results
  return [
    `${machine.cpus} × ${machine.model}, Node ${machine.node}; other programs used up to ` +
      `${percent(machine.busyBefore)} of it.`,
    ...targets(results),
    [
      ...(create === undefined ? [] : [rounds(create)]),
      ...(get === undefined ? [] : [rounds(get)]),
      ...(memory === undefined ? [] : [memoryLine(memory)]),
      ...(results.report === undefined ? [] : [reportLine(results.report)]),
    ].join("\n"),
    ...(deliveries === undefined ? [] : deliveryLines(deliveries)),
    ...(results.search ?? []).map(searches),
    ...(results.steps === undefined ? [] : steps(results.steps)),
    ...(results.cost === undefined ? [] : [cost(results.cost)]),
    ...(results.replicas === undefined ? [] : [replicas(results.replicas)]),
    ...(results.doors === undefined ? [] : [doors(results.doors)]),
    ...(results[402] === undefined ? [] : [exchange(results[402])]),
    ...(results.life === undefined ? [] : [life(results.life)]),
    ...(results.peers === undefined ? [] : [peers(results.peers)]),
    ...(results.medusa === undefined ? [] : [medusa(results.medusa)]),
    ...(results.stall === undefined ? [] : [stalls(results.stall)]),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
}
