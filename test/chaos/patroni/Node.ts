import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { ServerUser } from "../../../adapters/postgres/embedded/serverUser.ts"
import { readPostmasterFile } from "../../../adapters/postgres/embedded/postmasterFile.ts"
import { processesServing } from "../../../adapters/postgres/embedded/processes.ts"
import { killProcess } from "../Postgres.ts"
import type { Programs } from "./programs.ts"

/** The settings that all nodes of a cluster share. */
export interface Shared {
  readonly programs: Programs
  /** The user of all processes; undefined for the user of this process. */
  readonly user: ServerUser | undefined
  readonly etcdPort: number
  readonly passwords: { readonly superuser: string; readonly replication: string }
}

export interface NodePorts {
  readonly postgres: number
  readonly rest: number
}

/** A lost node is replaced after 20 s, the minimum that Patroni allows. */
const DCS = {
  ttl: 20,
  loop_wait: 2,
  retry_timeout: 5,
  // Nothing is acknowledged before a standby has it, and only that standby takes over.
  synchronous_mode: true,
  synchronous_mode_strict: true,
  // A primary whose server ends is not started again while another could take over.
  primary_start_timeout: 0,
  postgresql: {
    use_pg_rewind: true,
    use_slots: true,
    parameters: { max_connections: 100, max_wal_size: "256MB", wal_keep_size: "128MB" },
  },
}

const HBA = [
  "host replication replicator 127.0.0.1/32 scram-sha-256",
  "host all all 127.0.0.1/32 scram-sha-256",
]

const configuration = (folder: string, name: string, ports: NodePorts, shared: Shared) => {
  const { passwords, programs } = shared
  const superuser = { username: "postgres", password: passwords.superuser }
  const local = (port: number) => `127.0.0.1:${port}`
  return {
    scope: "payport",
    name,
    restapi: { listen: local(ports.rest), connect_address: local(ports.rest) },
    etcd3: { host: local(shared.etcdPort) },
    bootstrap: {
      dcs: DCS,
      initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
    },
    postgresql: {
      listen: local(ports.postgres),
      connect_address: local(ports.postgres),
      data_dir: join(folder, "data"),
      bin_dir: programs.postgres,
      pgpass: join(folder, "pgpass"),
      authentication: {
        superuser,
        rewind: superuser,
        replication: { username: "replicator", password: passwords.replication },
      },
      parameters: { unix_socket_directories: folder, password_encryption: "scram-sha-256" },
      pg_hba: HBA,
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  }
}

/**
 * Ends a child with this process. After SIGTERM, Patroni stops its PostgreSQL, so an aborted run
 * leaves nothing behind.
 */
export const endWithUs = (child: ChildProcess): void => {
  const end = () => void child.kill("SIGTERM")
  process.once("exit", end)
  child.once("exit", () => void process.removeListener("exit", end))
}

/** A server of a cluster: a Patroni with the PostgreSQL that it starts and stops. */
export class Node {
  readonly name: string
  readonly ports: NodePorts
  readonly #folder: string
  readonly #shared: Shared
  #patroni: ChildProcess | undefined

  /** `folder` belongs to the cluster's user. */
  constructor(folder: string, name: string, ports: NodePorts, shared: Shared) {
    this.name = name
    this.ports = ports
    this.#folder = folder
    this.#shared = shared
  }

  async start(): Promise<void> {
    const file = join(this.#folder, "patroni.yml")
    // JSON is YAML too.
    const text = JSON.stringify(configuration(this.#folder, this.name, this.ports, this.#shared))
    await writeFile(file, text)
    const log = await open(join(this.#folder, "patroni.log"), "a")
    try {
      this.#patroni = spawn(this.#shared.programs.patroni, [file], {
        ...this.#shared.user,
        cwd: this.#folder,
        stdio: ["ignore", log.fd, log.fd],
      })
      endWithUs(this.#patroni)
      await once(this.#patroni, "spawn")
    } finally {
      await log.close()
    }
  }

  /** Whether Patroni has ended by itself. */
  get hasEnded(): boolean {
    return this.#patroni !== undefined && this.#patroni.exitCode !== null
  }

  /** `kill -9` of its PostgreSQL alone, which its Patroni notices. */
  async killServer(): Promise<void> {
    const file = await readPostmasterFile(join(this.#folder, "data"))
    if (file === undefined) throw new Error(`${this.name} has no PostgreSQL to kill.`)
    killProcess(file.pid)
  }

  /** `kill -9` of everything, as when a machine loses its power. */
  async kill(): Promise<void> {
    const patroni = this.#patroni
    this.#patroni = undefined
    if (patroni?.pid !== undefined && patroni.exitCode === null && patroni.signalCode === null) {
      const ended = once(patroni, "exit")
      patroni.kill("SIGKILL")
      await ended
    }
    for (let look = 0; look < 100; look += 1) {
      const left = await this.#servers()
      if (left.length === 0) return
      left.forEach(killProcess)
    }
  }

  /** Requests a path of Patroni's API; undefined without an answer within a second. */
  async ask(path: string): Promise<Response | undefined> {
    const limit = AbortSignal.timeout(1_000)
    return fetch(`http://127.0.0.1:${this.ports.rest}${path}`, { signal: limit }).catch(
      () => undefined,
    )
  }

  /** Hands its role to a standby, in good order. */
  async handOver(): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.ports.rest}/switchover`, {
      method: "POST",
      body: JSON.stringify({ leader: this.name }),
    })
    const said = await answer.text()
    if (!answer.ok) throw new Error(`The switchover was refused with ${answer.status}: ${said}`)
  }

  #servers(): Promise<ReadonlyArray<number>> {
    return processesServing(join(this.#folder, "data"))
  }
}
