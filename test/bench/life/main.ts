import { createHmac, randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import { Pool } from "undici"
import { encodeCallback } from "../../../adapters/channels/codec.ts"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import type { LivesJob, LivesOutcome, Stage } from "./Lives.ts"

type Headers = { readonly [name: string]: string }

const job = JSON.parse(await text(process.stdin)) as LivesJob
const pool = new Pool(job.url, { connections: job.connections, pipelining: 1 })

const post = async (path: string, headers: Headers, body: string | Uint8Array | null) => {
  const content = body === null ? {} : { "content-type": "application/json" }
  const answer = await pool.request({
    path,
    method: "POST",
    headers: { ...headers, ...content },
    body,
  })
  const said = await answer.body.text()
  if (answer.statusCode < 300) return JSON.parse(said) as { readonly [field: string]: unknown }
  throw new Error(`POST ${path} was answered ${answer.statusCode}: ${said}`)
}

/** Under a new `Idempotency-Key`. */
const by = (key: string): Headers => ({
  authorization: `Bearer ${key}`,
  "idempotency-key": randomUUID(),
})

/** Sends the channel's callback about a charge, as its gateway would. */
const tell = async (out_trade_no: string, trade_status: TradeStatus) => {
  const body = encodeCallback({
    channel: job.channel,
    out_trade_no,
    trade_no: `trade-${out_trade_no}`,
    total_amount: "0.01",
    trade_status,
    payer_id: "payer",
    wallet_id: "wallet",
  })
  const signature = createHmac("sha256", job.secret).update(body).digest("hex")
  await post(`/v1/webhooks/channel/${job.channel}`, { "x-channel-signature": signature }, body)
  return out_trade_no
}

const STEPS: { readonly [S in Stage]: (id: string) => Promise<string> } = {
  create: async () => String((await post("/v1/payment-intents", by(job.buyerKey), job.body))["id"]),
  scan: (id) => tell(id, "SCANNED"),
  authorize: (id) => tell(id, "AUTHORIZED"),
  capture: async (id) => {
    const path = `/v1/payment-intents/${id}/capture`
    const { status } = await post(path, by(job.sellerKey), null)
    if (status !== "captured") throw new Error(`A captured payment is ${String(status)}.`)
    return id
  },
  settle: (id) => tell(id, "SUCCESS"),
}

const { payments } = job
const given = typeof payments === "number" ? Array.from({ length: payments }, () => "") : payments
const ids: Array<string> = []
let next = 0
const flaws: Array<string> = []
const lane = async () => {
  for (let id = given[next++]; id !== undefined && flaws.length === 0; id = given[next++]) {
    for (const stage of job.stages) id = await STEPS[stage](id)
    ids.push(id)
  }
}
const fail = (error: unknown) => {
  flaws.push(error instanceof Error ? error.message : String(error))
}
const started = performance.now()
await Promise.all(Array.from({ length: job.connections }, () => lane().catch(fail)))
const outcome: LivesOutcome = { ids, milliseconds: performance.now() - started, flaw: flaws[0] }
await pool.close()
process.stdout.write(JSON.stringify(outcome))
