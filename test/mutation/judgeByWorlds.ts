import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { projectRoot } from "../support/sourceFiles.ts"
import type { Mutant, MutatedCore } from "./Mutant.ts"
import { Player, type Start } from "./Player.ts"
import type { Verdict } from "./Verdict.ts"
import { nameOf, type Wanted } from "./worlds.ts"

/** The results of the worlds without a mutant. */
interface Baseline {
  readonly hashes: ReadonlyMap<string, string>
  /** The mutants that each world reaches. */
  readonly covered: ReadonlyMap<string, ReadonlySet<string>>
  /** The mutants that loading the core reaches. */
  readonly atStart: ReadonlySet<string>
}

type Sources = Start["sources"]

/** The files of the mutants by their URLs: all others are loaded as they are. */
const sourcesOf = ({ sources }: MutatedCore, mutants: ReadonlyArray<Mutant>): Sources => {
  const files = new Set(mutants.map(({ file }) => file))
  const url = (file: string) => pathToFileURL(join(projectRoot, file)).href
  return new Map([...files].map((file) => [url(file), sources.get(file) ?? ""]))
}

const playUnchanged = async (
  sources: Sources,
  worlds: ReadonlyArray<Wanted>,
): Promise<Baseline> => {
  const player = new Player({ sources, active: undefined })
  try {
    const started = await player.started
    if (started.type !== "ready") throw new Error(`The core, mutated: ${JSON.stringify(started)}`)
    const hashes = new Map<string, string>()
    const covered = new Map<string, ReadonlySet<string>>()
    for (const world of worlds) {
      const played = await player.play({ world, mutant: undefined })
      if (played.type !== "held") {
        throw new Error(`Without a mutant, ${nameOf(world)}: ${JSON.stringify(played)}`)
      }
      hashes.set(nameOf(world), played.hash)
      covered.set(nameOf(world), new Set(played.covered))
    }
    return { hashes, covered, atStart: new Set(started.covered) }
  } finally {
    await player.end()
  }
}

/** Plays worlds until one notices. */
const judge = async (
  player: Player,
  worlds: ReadonlyArray<Wanted>,
  mutant: string | undefined,
  { hashes }: Baseline,
): Promise<Verdict> => {
  let differs = false
  for (const world of worlds) {
    const played = await player.play({ world, mutant })
    if (played.type === "broken") return { type: "noticed", by: played.by, world: nameOf(world) }
    if (played.type === "held") differs ||= played.hash !== hashes.get(nameOf(world))
  }
  return { type: "survived", differs }
}

/** Judges in a separate thread, which loads the core with the mutant on. */
const judgeFromStart = async (
  sources: Sources,
  worlds: ReadonlyArray<Wanted>,
  id: string,
  baseline: Baseline,
): Promise<Verdict> => {
  const player = new Player({ sources, active: id })
  try {
    const started = await player.started
    if (started.type === "broken") return { type: "noticed", by: started.by, world: "none" }
    return await judge(player, worlds, undefined, baseline)
  } finally {
    await player.end()
  }
}

/** A thread for one mutant after the other. It is replaced if a mutant has left traces. */
class Hand {
  readonly #sources: Sources
  readonly #worlds: ReadonlyArray<Wanted>
  readonly #baseline: Baseline
  #player: Player | undefined

  constructor(sources: Sources, worlds: ReadonlyArray<Wanted>, baseline: Baseline) {
    this.#sources = sources
    this.#worlds = worlds
    this.#baseline = baseline
  }

  async judge({ id }: Mutant): Promise<Verdict> {
    const { atStart, covered } = this.#baseline
    if (atStart.has(id)) return this.#fromStart(id)
    const worlds = this.#worlds.filter((world) => covered.get(nameOf(world))?.has(id) === true)
    if (worlds.length === 0) return { type: "unreached" }
    const player = (this.#player ??= new Player({ sources: this.#sources, active: undefined }))
    await player.started
    const verdict = await judge(player, worlds, id, this.#baseline)
    if (!player.isOver && (await this.#isClean(player))) return verdict
    await this.end()
    // It was noticed in a thread that was sound until then.
    return verdict.type === "noticed" ? verdict : this.#fromStart(id)
  }

  async end(): Promise<void> {
    await this.#player?.end()
    this.#player = undefined
  }

  #fromStart(id: string): Promise<Verdict> {
    return judgeFromStart(this.#sources, this.#worlds, id, this.#baseline)
  }

  /**
   * Whether a world without a mutant still gives the same result. Modules may keep state of a
   * mutant.
   */
  async #isClean(player: Player): Promise<boolean> {
    const [world] = this.#worlds
    if (world === undefined) return true
    const played = await player.play({ world, mutant: undefined })
    return played.type === "held" && played.hash === this.#baseline.hashes.get(nameOf(world))
  }
}

/** Judges mutants by worlds, several at a time; `heard` gets each verdict. */
export const judgeByWorlds = async (
  core: MutatedCore,
  mutants: ReadonlyArray<Mutant>,
  worlds: ReadonlyArray<Wanted>,
  threads: number,
  heard: (mutant: Mutant, verdict: Verdict) => void,
): Promise<void> => {
  const sources = sourcesOf(core, mutants)
  const baseline = await playUnchanged(sources, worlds)
  const left = mutants[Symbol.iterator]()
  const work = async () => {
    const hand = new Hand(sources, worlds, baseline)
    try {
      for (const mutant of left) heard(mutant, await hand.judge(mutant))
    } finally {
      await hand.end()
    }
  }
  await Promise.all(Array.from({ length: threads }, work))
}
