import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { processesServing } from "../../../adapters/postgres/embedded/processes.ts"
import type { CuttingProxy } from "../../support/CuttingProxy.ts"
import type { Postgres } from "../Postgres.ts"
import { promote } from "../standby.ts"
import { ALIEN } from "./readings.ts"

/** A replica, and the proxy between it and the service. */
export interface Struck {
  readonly standby: Postgres
  readonly proxy: CuttingProxy
}

/** A fault of a replica. */
interface Strike {
  readonly name: string
  readonly begin: (struck: Struck) => Promise<unknown>
  /** The time that it lasts, in milliseconds. */
  readonly lasts: number
  /** Repairs the replica; undefined if it is gone for good. */
  readonly end: ((struck: Struck) => Promise<unknown>) | undefined
  /** The state that a process has to report before the fault ends; undefined if any may be. */
  readonly seen?: "promoted" | "away" | "lagging"
}

/** Replay has to fall behind by more than this, in seconds, until a replica is not asked. */
export const LONGEST_LAG = 3

const seconds = (count: number): number => 1_000 * count

/** Stops all processes of a server where they are, or lets them go on. */
export const signalAll = async ({ folder }: Postgres, signal: "SIGSTOP" | "SIGCONT") => {
  const data = await realpath(join(folder, "postgres/data"))
  for (const pid of await processesServing(data)) process.kill(pid, signal)
}

/** The address of each standby's primary, kept while the standby is cut off. */
const upstream = new WeakMap<Postgres, string>()

const leave = async (standby: Postgres): Promise<void> => {
  const [row] = await standby.manage("SELECT current_setting('primary_conninfo') AS upstream")
  upstream.set(standby, String(row?.["upstream"]))
  await standby.configure({ primary_conninfo: "''" })
}

const follow = (standby: Postgres): Promise<void> =>
  standby.configure({
    primary_conninfo: `'${(upstream.get(standby) ?? "").replaceAll("'", "''")}'`,
  })

/** Writes rows that only the promoted server shows. */
export const writeApart = async (standby: Postgres): Promise<void> => {
  await standby.ask(`UPDATE payport.services SET description = '${ALIEN}'`)
  await standby.ask(`UPDATE payport.payment_intents SET description = '${ALIEN}'`)
}

/** The faults in their order, one a round. Those that reveal most are first. */
export const STRIKES: ReadonlyArray<Strike> = [
  {
    name: "replay was held",
    begin: ({ standby }) => standby.manage("SELECT pg_wal_replay_pause()"),
    lasts: seconds(LONGEST_LAG + 2),
    end: ({ standby }) => standby.manage("SELECT pg_wal_replay_resume()"),
    seen: "lagging",
  },
  {
    name: "it was promoted by mistake",
    begin: ({ standby }) => promote(standby),
    lasts: seconds(2),
    end: undefined,
    seen: "promoted",
  },
  {
    name: "it was killed",
    begin: ({ standby }) => standby.kill("all"),
    lasts: seconds(2),
    end: ({ standby }) => standby.start(),
    seen: "away",
  },
  {
    name: "it showed everything a second late",
    begin: ({ standby }) => standby.configure({ recovery_min_apply_delay: "'1s'" }),
    lasts: seconds(5),
    end: ({ standby }) => standby.configure({ recovery_min_apply_delay: "'0'" }),
  },
  {
    name: "its processes were stopped",
    begin: ({ standby }) => signalAll(standby, "SIGSTOP"),
    lasts: seconds(LONGEST_LAG + 1),
    end: ({ standby }) => signalAll(standby, "SIGCONT"),
    seen: "away",
  },
  {
    name: "its connections were cut",
    begin: async ({ proxy }) => proxy.drop(true),
    lasts: seconds(2),
    end: async ({ proxy }) => proxy.drop(false),
    seen: "away",
  },
  {
    name: "its connections said nothing",
    begin: async ({ proxy }) => proxy.hang(true),
    lasts: seconds(LONGEST_LAG + 1),
    end: async ({ proxy }) => proxy.hang(false),
    seen: "away",
  },
  {
    name: "it heard nothing from the primary",
    begin: ({ standby }) => leave(standby),
    lasts: seconds(LONGEST_LAG + 2),
    end: ({ standby }) => follow(standby),
    seen: "lagging",
  },
]
