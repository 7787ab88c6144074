import { createHmac, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createRequire } from "node:module"
import { join } from "node:path"
import { Agent } from "undici"
import type { PeerJob, PeerSaid } from "./Peer.ts"

/** As many attempts as payport has under way at ten quick receivers. */
const CONCURRENCY = 640

/** Milliseconds that completions are collected for. */
const BATCH = 10

const SECRET = randomBytes(32)

interface Delivery {
  readonly number: number
}

const say = (said: PeerSaid) => void process.send?.(said)

const agent = new Agent({ connections: 64, pipelining: 1 })

/** Posts one delivery, signed as webhooks are. */
const post = async ({ body, ports }: PeerJob, { number }: Delivery): Promise<void> => {
  const at = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac("sha256", SECRET).update(`${number}.${at}.${body}`).digest("hex")
  const answer = await agent.request({
    origin: `http://127.0.0.1:${ports[number % ports.length]}`,
    path: "/webhooks",
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": `${number}-0`,
      "x-signature": `t=${at},v1=${signature}`,
    },
    body,
  })
  await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`It was answered ${answer.statusCode}.`)
}

interface GraphileWorker {
  readonly Logger: new (make: () => () => void) => object
  readonly makeWorkerUtils: (options: object) => Promise<{
    readonly migrate: () => Promise<void>
    readonly addJobs: (jobs: ReadonlyArray<object>) => Promise<unknown>
    readonly release: () => Promise<void>
  }>
  readonly run: (options: object) => Promise<unknown>
}

/** With its local queue and batched completions, which its manual names for speed. */
const graphileWorker = async (job: PeerJob, go: Promise<unknown>, library: GraphileWorker) => {
  const silent = () => {}
  const preset = {
    worker: {
      connectionString: job.databaseUrl,
      maxPoolSize: 10,
      concurrentJobs: CONCURRENCY,
      pollInterval: 100,
      completeJobBatchDelay: BATCH,
      failJobBatchDelay: BATCH,
      localQueue: { size: 2 * CONCURRENCY },
      logger: new library.Logger(() => silent),
    },
  }
  const utils = await library.makeWorkerUtils({ preset })
  await utils.migrate()
  const jobs = Array.from({ length: job.count }, (_, number) => ({
    identifier: "deliver",
    payload: { number },
  }))
  for (let at = 0; at < jobs.length; at += 1_000) await utils.addJobs(jobs.slice(at, at + 1_000))
  await utils.release()
  say("ready")
  await go
  await library.run({
    preset,
    noHandleSignals: true,
    taskList: { deliver: (payload: unknown) => post(job, payload as Delivery) },
  })
}

interface PgBoss {
  readonly start: () => Promise<unknown>
  readonly createQueue: (name: string) => Promise<void>
  readonly insert: (name: string, jobs: ReadonlyArray<object>) => Promise<unknown>
  readonly work: (
    name: string,
    options: object,
    handler: (jobs: ReadonlyArray<{ readonly data: Delivery }>) => Promise<void>,
  ) => Promise<unknown>
}

/** In batches, which are completed in one statement each. */
const pgBoss = async (job: PeerJob, go: Promise<unknown>, boss: PgBoss) => {
  await boss.start()
  await boss.createQueue("deliver")
  const jobs = Array.from({ length: job.count }, (_, number) => ({ data: { number } }))
  for (let at = 0; at < jobs.length; at += 1_000) {
    await boss.insert("deliver", jobs.slice(at, at + 1_000))
  }
  say("ready")
  await go
  const options = { batchSize: CONCURRENCY >> 2, pollingIntervalSeconds: 0.5 }
  for (let worker = 0; worker < 4; worker++) {
    await boss.work("deliver", options, async (batch) => {
      await Promise.all(batch.map(({ data }) => post(job, data)))
    })
  }
}

const [job] = (await once(process, "message")) as [PeerJob]
const go = once(process, "message")
process.once("disconnect", () => process.exit())
try {
  const library: unknown = createRequire(join(job.folder, "main.js"))(job.library)
  if (job.library === "graphile-worker") {
    await graphileWorker(job, go, library as GraphileWorker)
  } else {
    const { PgBoss } = library as { readonly PgBoss: new (url: string) => PgBoss }
    await pgBoss(job, go, new PgBoss(job.databaseUrl))
  }
} catch (error) {
  say({ failed: error instanceof Error ? error.message : String(error) })
}
