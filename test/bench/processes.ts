import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { cpus } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Ticks of the times in /proc, which every Linux counts a hundred of a second of. */
const TICKS = 100

/**
 * The current memory of a process and its peak, in megabytes; null if the system does not report
 * the peak.
 */
export interface Memory {
  readonly resident: number
  readonly peak: number | null
}

/** The memory of a process in megabytes of 1,048,576 bytes. */
export const memoryOf = async (pid: number): Promise<Memory> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => undefined)
  if (status === undefined) {
    const { stdout } = await execute("ps", ["-o", "rss=", "-p", String(pid)])
    return { resident: Number(stdout) / 1024, peak: null }
  }
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1])
  return { resident: kilobytes("VmRSS") / 1024, peak: kilobytes("VmHWM") / 1024 }
}

/**
 * Returns the seconds of a core that the process has used; undefined if the system does not report
 * them.
 */
export const cpuOf = async (pid: number): Promise<number | undefined> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined)
  if (stat === undefined) return undefined
  // The name, in brackets, may hold blanks; the times are the 12th and 13th fields behind it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

const coreTimes = () => {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, core) => sum + core.idle, 0)
  const all = times.reduce(
    (sum, { idle, irq, nice, sys, user }) => sum + idle + irq + nice + sys + user,
    0,
  )
  return { idle, all }
}

/** The share of all cores that is in use during the next second. */
export const busyShare = async (): Promise<number> => {
  const before = coreTimes()
  await sleep(1_000)
  const after = coreTimes()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}
