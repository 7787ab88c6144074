import { type Done, type SentOptions, startWorker, type StartWorker, Thread } from "./Thread.ts"

/** Receives each world's result and options when it ends; returns false to start no other. */
export type Heard = (done: Done, world: SentOptions) => boolean

/**
 * Threads that run worlds, with the same results on any number of threads. They keep compiled code
 * for later worlds. An idle thread costs nothing.
 */
export class Threads {
  readonly all: ReadonlyArray<Thread>

  /** A world that has not ended after `world_timeout` seconds is given up. */
  constructor(count: number, world_timeout?: number, start: StartWorker = startWorker) {
    this.all = Array.from({ length: count }, () => new Thread(world_timeout, start))
  }

  /** Runs worlds and reports each when it ends, in any order. */
  async run(worlds: Iterable<SentOptions>, heard: Heard): Promise<void> {
    const next = worlds[Symbol.iterator]()
    let goesOn = true
    const work = async (thread: Thread) => {
      while (goesOn) {
        const world: IteratorResult<SentOptions, unknown> = next.next()
        if (world.done === true) return
        const done = await thread.play(world.value)
        goesOn = heard(done, world.value) && goesOn
      }
    }
    await Promise.all(this.all.map(work))
  }

  async end(): Promise<void> {
    await Promise.all(this.all.map((thread) => thread.end()))
  }
}

/** Runs worlds on several threads, which end when all is done or `heard` returns false. */
export const runSeeds = async (
  worlds: Iterable<SentOptions>,
  count: number,
  heard: Heard,
): Promise<void> => {
  const threads = new Threads(count)
  try {
    await threads.run(worlds, heard)
  } finally {
    await threads.end()
  }
}
