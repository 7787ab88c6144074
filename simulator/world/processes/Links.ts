import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Outage, outageEnd } from "../../channels/Outages.ts"
import type { Chance } from "../../random/Chance.ts"
import type { Stage } from "../Stage.ts"

/** A connection of a process. */
export type Link = "store" | "channels" | "receivers" | "clients"

const LINKS = ["store", "channels", "receivers", "clients"] as const

/** How long after one link the next is stopped or restored, and how long all are down between. */
const STEP = 3 * SECOND
const REST = 10 * SECOND

/** How long a process has no free connection. */
const EXHAUSTED = { shortest: SECOND, longest: 5 * SECOND } as const

const HOUR = 3_600 * SECOND

const nameOf = (place: number, link: Link): string => `${place} ${link}`

const shuffled = <A>(chance: Chance, items: ReadonlyArray<A>): ReadonlyArray<A> =>
  items
    .map((item) => [chance.next(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item)

/** The links of a world's processes: stopped one by one, and restored in another order. */
export class Links {
  readonly #stage: Stage
  readonly #cuts = new Map<string, Array<Outage>>()
  readonly #exhausted = new Map<number, Array<Outage>>()

  /** Draws what is cut and exhausted in that time, for so many processes. */
  constructor(stage: Stage, places: number, traffic: Outage) {
    this.#stage = stage
    const { links_cut_per_hour, pools_exhausted_per_hour } = stage.faults()
    if (links_cut_per_hour > 0) {
      const chance = stage.chance("links")
      const all = Array.from({ length: places }, (_, place) =>
        LINKS.map((link) => nameOf(place, link)),
      ).flat()
      let at = traffic.from + chance.wait(HOUR / links_cut_per_hour)
      while (at < traffic.to)
        at = this.#stop(chance, all, at) + chance.wait(HOUR / links_cut_per_hour)
    }
    if (pools_exhausted_per_hour === 0) return
    const chance = stage.chance("pools")
    const gap = HOUR / pools_exhausted_per_hour
    for (let from = traffic.from + chance.wait(gap); from < traffic.to; from += chance.wait(gap)) {
      const place = chance.int(0, places - 1)
      const to = from + chance.int(EXHAUSTED.shortest, EXHAUSTED.longest)
      this.#exhausted.set(place, [...(this.#exhausted.get(place) ?? []), { from, to }])
    }
  }

  /** Stops some links one after the other, and restores them in another order; returns the end. */
  #stop(chance: Chance, all: ReadonlyArray<string>, begins: Timestamp): Timestamp {
    const some = shuffled(chance, all).slice(0, chance.int(2, all.length))
    let at = begins
    const stopped = new Map(some.map((name) => [name, (at += chance.wait(STEP))]))
    at += chance.wait(REST)
    for (const name of shuffled(chance, some)) {
      at += chance.wait(STEP)
      const cuts = this.#cuts.get(name) ?? []
      this.#cuts.set(name, [...cuts, { from: stopped.get(name) ?? at, to: at }])
    }
    return at
  }

  /** Whether none of them ever fails. */
  get isSound(): boolean {
    return this.#cuts.size === 0 && this.#exhausted.size === 0
  }

  /** Whether a process has lost that link at the moment. */
  isCut(place: number, link: Link): boolean {
    if (this.#stage.faults().links_cut_per_hour === 0) return false
    const cuts = this.#cuts.get(nameOf(place, link))
    if (cuts === undefined || outageEnd(cuts, this.#stage.now()) === undefined) return false
    this.#stage.log.note("link_cut")
    this.#stage.upset(this.#stage.now())
    return true
  }

  /** Whether a process has no free connection to the store. */
  isExhausted(place: number): boolean {
    if (this.#stage.faults().pools_exhausted_per_hour === 0) return false
    const spans = this.#exhausted.get(place)
    if (spans === undefined || outageEnd(spans, this.#stage.now()) === undefined) return false
    this.#stage.log.note("pool_exhausted")
    this.#stage.upset(this.#stage.now())
    return true
  }
}
