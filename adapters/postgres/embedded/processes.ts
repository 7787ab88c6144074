import { execFile } from "node:child_process"
import { readdir, readFile, readlink } from "node:fs/promises"
import { codeOf } from "./files.ts"

/** Whether a process with that number exists, whoever owns it. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return codeOf(cause) === "EPERM"
  }
}

/**
 * Whether the process is a living PostgreSQL of any folder, as far as Linux shows it; every user
 * may see that. A zombie answers to signal 0 until it is reaped, which in a container may never
 * happen.
 */
export const isPostgres = async (pid: number | string): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  const [, command, state] = /^\d+ \((.*)\) (\S)/s.exec(status) ?? []
  return command === "postgres" && state !== "Z" && state !== "X"
}

const linuxServesFolder = async (pid: number | string, folder: string): Promise<boolean> =>
  (await isPostgres(pid)) && (await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === folder

const listedServesFolder = (pid: number, folder: string): Promise<boolean> =>
  new Promise((resolve) => {
    execFile("ps", ["-ww", "-p", String(pid), "-o", "stat=,command="], (error, output) => {
      const line = error === null ? output.trim() : ""
      resolve(!line.startsWith("Z") && line.includes("postgres") && line.includes(folder))
    })
  })

/**
 * Whether the process is a living PostgreSQL of exactly this cluster folder (a real path). The
 * number in a file may belong to any other program by now. PostgreSQL works in its cluster folder,
 * which Linux shows. Elsewhere its command line names the folder. Windows shows neither.
 */
export const servesFolder = async (pid: number, folder: string): Promise<boolean> => {
  if (!isAlive(pid)) return false
  if (process.platform === "linux") return linuxServesFolder(pid, folder)
  if (process.platform === "win32") return true
  return listedServesFolder(pid, folder)
}

/**
 * Returns every living PostgreSQL process that works in the cluster folder, as far as the system
 * shows it. Linux also shows orphans and those whose `postmaster.pid` was deleted.
 */
export const processesServing = async (folder: string): Promise<ReadonlyArray<number>> => {
  if (process.platform !== "linux") return []
  const found: Array<number> = []
  for (const entry of await readdir("/proc")) {
    if (/^\d+$/.test(entry) && (await linuxServesFolder(entry, folder))) found.push(Number(entry))
  }
  return found
}
