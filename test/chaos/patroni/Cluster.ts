import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chmod, chown, mkdir, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { DatabaseConnection } from "../../../adapters/postgres/embedded/database.ts"
import { findServerUser } from "../../../adapters/postgres/embedded/serverUser.ts"
import { askDatabase } from "../../support/askDatabase.ts"
import { freePort } from "../../support/freePort.ts"
import type { Books } from "../Books.ts"
import { endWithUs, Node, type NodePorts, type Shared } from "./Node.ts"
import { findPrograms } from "./programs.ts"

/** Three nodes, so that one standby always follows while another node is lost. */
const NODES = ["one", "two", "three"]

/** How long a cluster may take to be complete again, in milliseconds. */
const WHOLE_WITHIN = 180_000

/** The number of lines of a node's log that an error contains. */
const LOGGED = 30

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
  readonly lag?: number | string
}

const isWhole = (members: ReadonlyArray<Member>): boolean =>
  members.length === NODES.length &&
  members.every(({ state }) => state === "running" || state === "streaming") &&
  members.some(({ role }) => role === "leader") &&
  members.some(({ role }) => role === "sync_standby") &&
  members.every(({ lag = 0 }) => lag === 0)

const password = () => randomBytes(24).toString("hex")

/** Three servers managed by Patroni, and their etcd. */
export class Cluster implements Books {
  readonly #folder: string
  readonly #nodes: ReadonlyArray<Node>
  readonly #shared: Shared
  readonly #password = password()
  #etcd: ChildProcess | undefined
  #leader: Node

  private constructor(folder: string, shared: Shared, [first, ...others]: [Node, ...Node[]]) {
    this.#folder = folder
    this.#shared = shared
    this.#nodes = [first, ...others]
    this.#leader = first
  }

  /** Makes a cluster in a folder, with a database for the service. */
  static async start(folder: string): Promise<Cluster> {
    const programs = await findPrograms()
    const user = await Effect.runPromise(findServerUser(folder, folder))
    const passwords = { superuser: password(), replication: password() }
    const shared: Shared = { programs, user, passwords, etcdPort: await freePort() }
    // Its user has to pass through, and may not list.
    await chmod(folder, 0o711)
    const nodes: Array<Node> = []
    for (const name of NODES) {
      const own = join(folder, name)
      await mkdir(own, { mode: 0o700 })
      if (user !== undefined) await chown(own, user.uid, user.gid)
      const ports: NodePorts = { postgres: await freePort(), rest: await freePort() }
      nodes.push(new Node(own, name, ports, shared))
    }
    const cluster = new Cluster(folder, shared, nodes as [Node, ...Node[]])
    try {
      await cluster.#startEtcd()
      for (const node of nodes) await node.start()
      await cluster.whole()
      await cluster.#manage(`CREATE ROLE payport LOGIN PASSWORD '${cluster.#password}'`)
      await cluster.#manage("CREATE DATABASE payport OWNER payport")
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** The URL for a service, with all servers. The service uses the one that accepts writes. */
  get url(): string {
    const servers = this.#nodes.map(({ ports }) => `127.0.0.1:${ports.postgres}`).join(",")
    return `postgresql://payport:${this.#password}@${servers}/payport`
  }

  /** The server that was the primary when it was looked for last. */
  get connection(): DatabaseConnection {
    return this.#connect("payport", this.#password, "payport")
  }

  get leader(): Node {
    return this.#leader
  }

  ask(sql: string) {
    return askDatabase(this.connection, sql)
  }

  /** Waits until another server is the primary, and a standby holds what it commits. */
  async succeeded(): Promise<void> {
    const before = this.#leader
    const limit = performance.now() + WHOLE_WITHIN
    while (performance.now() < limit) {
      for (const node of this.#nodes) {
        if (node === before || (await node.ask("/primary"))?.status !== 200) continue
        this.#leader = node
        if (await this.#commits()) return
        this.#leader = before
      }
      await sleep(20)
    }
    throw new Error(`Nobody took over from ${before.name}.${await this.#logs()}`)
  }

  /** Waits until there is a primary, followed by all others, of which one holds every commit. */
  async whole(): Promise<void> {
    const limit = performance.now() + WHOLE_WITHIN
    let members: ReadonlyArray<Member> = []
    while (performance.now() < limit) {
      const ended = this.#nodes.find(({ hasEnded }) => hasEnded)
      if (ended !== undefined) {
        throw new Error(`Patroni ended by itself at ${ended.name}.${await this.#logs()}`)
      }
      members = await this.#members()
      const leader = members.find(({ role }) => role === "leader")?.name
      const node = this.#nodes.find(({ name }) => name === leader)
      if (node !== undefined && isWhole(members)) {
        this.#leader = node
        if (await this.#isFollowed()) return
      }
      await sleep(100)
    }
    const found = JSON.stringify(members)
    throw new Error(`The cluster did not become whole: ${found}${await this.#logs()}`)
  }

  async stop(): Promise<void> {
    for (const node of this.#nodes) await node.kill()
    const etcd = this.#etcd
    if (etcd === undefined || etcd.exitCode !== null || etcd.signalCode !== null) return
    const ended = once(etcd, "exit")
    etcd.kill("SIGKILL")
    await ended
  }

  async #members(): Promise<ReadonlyArray<Member>> {
    for (const node of this.#nodes) {
      const answer = await node.ask("/cluster")
      if (answer?.ok !== true) continue
      const { members } = (await answer.json()) as { readonly members: ReadonlyArray<Member> }
      return members
    }
    return []
  }

  /**
   * One that says that it is the primary may still be becoming it. A standby that was ahead of it
   * confirms its first commits without having them, and takes no more until it is rewound.
   */
  async #commits(): Promise<boolean> {
    try {
      const [row] = await this.#manage(
        "SELECT pg_logical_emit_message(true, 'chaos', '')::text AS lsn",
      )
      const at = `'${String(row?.["lsn"])}'::pg_lsn`
      const holding = await this.#manage(
        `SELECT FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')
          AND sent_lsn >= ${at} AND flush_lsn >= ${at}`,
      )
      return holding.length > 0
    } catch {
      return false
    }
  }

  /** Asks the primary for its standbys, since the members' reports may be seconds old. */
  async #isFollowed(): Promise<boolean> {
    const rows = await this.#manage(
      "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
    ).catch(() => [])
    return rows.length === NODES.length - 1 && rows.some(({ sync_state }) => sync_state === "sync")
  }

  /** The last lines of every Patroni's log. */
  async #logs(): Promise<string> {
    const said = NODES.map(async (name) => {
      const log = await readFile(join(this.#folder, name, "patroni.log"), "utf8").catch(() => "")
      return `\n${name}:\n${log.trimEnd().split("\n").slice(-LOGGED).join("\n")}`
    })
    return (await Promise.all(said)).join("")
  }

  async #startEtcd(): Promise<void> {
    const { etcdPort, programs, user } = this.#shared
    const data = join(this.#folder, "etcd")
    await mkdir(data, { mode: 0o700 })
    if (user !== undefined) await chown(data, user.uid, user.gid)
    const client = `http://127.0.0.1:${etcdPort}`
    const peer = `http://127.0.0.1:${await freePort()}`
    const args = [
      ["--data-dir", data],
      ["--listen-client-urls", client],
      ["--advertise-client-urls", client],
      ["--listen-peer-urls", peer],
      ["--initial-advertise-peer-urls", peer],
      ["--initial-cluster", `default=${peer}`],
    ]
    const log = await open(join(this.#folder, "etcd.log"), "a")
    try {
      const stdio = ["ignore", log.fd, log.fd] as const
      this.#etcd = spawn(programs.etcd, args.flat(), { ...user, stdio: [...stdio] })
      endWithUs(this.#etcd)
      await once(this.#etcd, "spawn")
    } finally {
      await log.close()
    }
  }

  #connect(username: string, secret: string, database: string): DatabaseConnection {
    const { postgres: port } = this.#leader.ports
    return { host: "127.0.0.1", port, username, password: Redacted.make(secret), database }
  }

  #manage(sql: string) {
    const { superuser } = this.#shared.passwords
    return askDatabase(this.#connect("postgres", superuser, "postgres"), sql)
  }
}
