import { execFile } from "node:child_process"
import { mkdir, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { type Chaos, type Result, starter, Trial, untilReady, type Variables } from "./Chaos.ts"
import { Postgres } from "./Postgres.ts"
import { importing } from "./withoutFix.ts"

const execute = promisify(execFile)

/** The duration of a trouble, in milliseconds. */
const LASTS = 3_000

/** A trouble around a service, which must not end because of it, and its repair. */
interface Trouble {
  /** Prepares the database's folder before the database exists, and returns the clean-up. */
  readonly prepare?: (folder: string) => Promise<() => Promise<void>>
  readonly begin: (trial: Trial) => Promise<void>
  readonly heal: (trial: Trial) => Promise<void>
  /** Variables of the second process of each role. */
  readonly second?: Variables
  /** Whether the service has to report meanwhile that it is not ready. */
  readonly isUnready: boolean
}

/** Every flush of the log waits for 50 ms, as on a disk that is worn out. */
const slowDisk: Trouble = {
  begin: (trial) => trial.server.configure({ commit_delay: "50000", commit_siblings: "0" }),
  heal: (trial) => trial.server.configure({ commit_delay: "0", commit_siblings: "5" }),
  isUnready: false,
}

const DISK = 400 * 1024 * 1024

const ballast = ({ server }: Trial) => join(server.folder, "ballast")

/**
 * The database's disk is full. A database that ends because of it is started again when there is
 * room.
 */
const fullDisk: Trouble = {
  prepare: async (folder) => {
    await mkdir(folder)
    await execute("mount", ["-t", "tmpfs", "-o", `size=${DISK},mode=755`, "tmpfs", folder])
    return async () => void (await execute("umount", ["-l", folder]))
  },
  begin: async (trial) => {
    const { bavail, bsize } = await statfs(trial.server.folder)
    // The database takes the last room itself meanwhile: then what fits is written.
    await writeFile(ballast(trial), Buffer.alloc(bavail * bsize)).catch(() => undefined)
  },
  heal: async (trial) => {
    await rm(ballast(trial))
    const lives = await trial.server.ask("SELECT 1").then(
      () => true,
      () => false,
    )
    if (lives) return
    await trial.server.stop()
    await trial.server.start()
  },
  isUnready: true,
}

/** A third of all webhooks is lost on its way, or its answer is. */
const lostWebhooks: Trouble = {
  begin: async ({ receiver }) => receiver.lose(0.33),
  heal: async ({ receiver }) => receiver.lose(0),
  isUnready: false,
}

/**
 * A module that the second process of each role loads: a signal moves its clock 16 minutes ahead,
 * or back.
 */
const JUMPING = `
  const right = Date.now
  let ahead = 0
  Date.now = () => right() + ahead
  process.on("SIGUSR2", () => { ahead = 960_000 - ahead })`

const skewed = ({ another, workers }: Trial) => [another, workers[1]].flatMap((one) => one ?? [])

const jump = (trial: Trial): Promise<void> => {
  for (const { pid } of skewed(trial)) process.kill(pid, "SIGUSR2")
  return Promise.resolve()
}

/** The clock of one of the two is wrong for a while: it answers nothing and ends nothing. */
const skewedClock: Trouble = {
  second: { NODE_OPTIONS: importing(JUMPING) },
  begin: async (trial) => {
    await jump(trial)
    for (const other of skewed(trial)) {
      if (!(await untilReady(other, false))) {
        trial.violations.push("a process whose clock is wrong says that it is ready")
      }
    }
  },
  heal: jump,
  isUnready: false,
}

export const TROUBLES = {
  slow_disk: slowDisk,
  full_disk: fullDisk,
  lost_webhooks: lostWebhooks,
  skewed_clock: skewedClock,
} as const satisfies { readonly [part: string]: Trouble }

const suffer = (trial: Trial, { begin, heal, isUnready }: Trouble) =>
  trial.round(async (load) => {
    await begin(trial)
    if (isUnready && !(await untilReady(trial.service, false))) {
      trial.violations.push("the service says that it is ready while it can store nothing")
    }
    await sleep(LASTS)
    await heal(trial)
    await trial.backInTime(load, "the trouble")
    for (const one of trial.all) {
      if (!(await untilReady(one, true))) {
        trial.violations.push("a minute after it the service was not ready")
      }
    }
  }, false)

/**
 * Begins and ends a trouble under load, again and again, over two API processes and two workers.
 * None is restarted by hand.
 */
export const trouble = async (chaos: Chaos, part: keyof typeof TROUBLES): Promise<Result> => {
  const began = performance.now()
  const it: Trouble = TROUBLES[part]
  const rounds = chaos.options.rounds[part]
  const folder = join(chaos.folder, `${part}-data`)
  const undo = await it.prepare?.(folder)
  const server = new Postgres(folder)
  let trial: Trial | undefined
  try {
    await server.start({ max_wal_size: "96MB", min_wal_size: "32MB" })
    const start = await starter(chaos, part, server.url())
    trial = await Trial.openAll(chaos, start, server, it.second)
    for (let round = 0; round < rounds; round++) {
      await suffer(trial, it)
      chaos.tell(round + 1)
    }
    return await trial.end(part, rounds, began)
  } finally {
    await trial?.abandon()
    await server.stop()
    await undo?.()
  }
}
