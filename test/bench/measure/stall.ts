import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { type Bench, type Running, withService } from "../Bench.ts"
import { median } from "../../../apps/bench/statistics.ts"

/** How long other requests waited during a hostile request, in milliseconds. */
export interface Stall {
  readonly name: string
  /** The status of the hostile request. */
  readonly status: number
  readonly milliseconds: number
}

/** The stalls, and the longest that is tolerated. */
export interface Stalls {
  readonly rows: ReadonlyArray<Stall>
  readonly target: number
  readonly met: boolean
}

const TARGET = 50
const MOST = 12 * 1024 * 1024
const ROUNDS = 3

interface Hostile {
  readonly name: string
  readonly path: string
  readonly body: Buffer
  /** The number of simultaneous hostile requests. */
  readonly times?: number
}

/** A body for images, as large as one may be. */
const image = (name: string, head: string, unit: string, tail: string): Hostile => ({
  name,
  path: "/v1/ai/scan-qr",
  body: Buffer.from(head + unit.repeat((MOST - 64) / Buffer.byteLength(unit)) + tail),
})

const batch = (name: string, text: string): Hostile => ({
  name,
  path: "/v1/ai/nlp-batch",
  body: Buffer.from(JSON.stringify({ queries: Array.from({ length: 100 }, () => text) })),
})

const HOSTILE: ReadonlyArray<Hostile> = [
  image("12 MiB of brackets", "", "[", ""),
  { ...image("seven times 12 MiB of brackets", "", "[", ""), times: 7 },
  image("12 MiB of empty objects", `{"image":[`, "{},", "1]}"),
  image("12 MiB of base64", `{"image":"`, "iVBO", `"}`),
  image("12 MiB of blanks in a string", `{"image":"`, " ", `"}`),
  image("12 MiB of escapes", `{"image":"`, "\\\\", `"}`),
  image("12 MiB of emoji", `{"image":"`, "😀", `"}`),
  batch("a batch of ligatures", "ﷺ".repeat(55)),
  batch("a batch of number words", "one hundred and ".repeat(30)),
  batch("a batch of prepositions", `pay ${"to ".repeat(200)}`),
  batch("a batch of Chinese numbers", "付一百万".repeat(100)),
]

const send = async (
  { service }: Running,
  agent: Agent,
  method: string,
  path: string,
  body?: Buffer,
): Promise<number> => {
  const req = request({
    agent,
    method,
    path,
    host: "127.0.0.1",
    port: service.port,
    headers: {
      authorization: `Bearer ${service.buyerKey}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
  })
  // A service that refuses a body early may close the connection.
  req.on("error", () => undefined)
  req.end(body)
  const [res] = (await Promise.race([once(req, "response"), once(req, "close")])) as [
    IncomingMessage?,
  ]
  if (res === undefined) return 0
  res.resume()
  await Promise.race([once(res, "end"), once(res, "close")])
  return res.statusCode ?? 0
}

/** Returns the time of the slowest probe during `work`. */
const slowest = async (running: Running, agent: Agent, work: Promise<unknown>) => {
  const state = { isOver: false }
  void work.finally(() => (state.isOver = true))
  let most = 0
  while (!state.isOver) {
    const began = performance.now()
    await send(running, agent, "GET", "/healthz")
    most = Math.max(most, performance.now() - began)
  }
  return most
}

/** How long requests that are as dear as they can be keep the service from answering others. */
export const measureStalls = (bench: Bench): Promise<Stalls> =>
  withService(bench, "bench_stall", async (running) => {
    const probes = new Agent({ keepAlive: true, maxSockets: 1 })
    const senders = new Agent({ keepAlive: true })
    const rows: Array<Stall> = []
    for (const { body, name, path, times = 1 } of HOSTILE) {
      const row = await bench.progress.step(`stall: ${name}`, 3, async () => {
        const found: Array<number> = []
        let status = 0
        for (let round = 0; round < ROUNDS; round++) {
          const sent = Promise.all(
            Array.from({ length: times }, () => send(running, senders, "POST", path, body)),
          )
          found.push(await slowest(running, probes, sent))
          status = (await sent)[0] ?? 0
        }
        return { name, status, milliseconds: median(found) }
      })
      rows.push(row)
    }
    probes.destroy()
    senders.destroy()
    const met = rows.every(({ milliseconds }) => milliseconds < TARGET)
    return { rows, target: TARGET, met }
  })
