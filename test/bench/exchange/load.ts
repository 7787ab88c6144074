import { createHmac, randomBytes } from "node:crypto"
import { text } from "node:stream/consumers"
import { type Dispatcher, Pool } from "undici"
import { encodeCallback } from "../../../adapters/channels/codec.ts"
import { Latencies } from "../../../apps/bench/load/Latencies.ts"
import type { Channel, ExchangeJob, ExchangeOutcome } from "./Exchange.ts"

type Fields = { readonly [field: string]: unknown }

const job = JSON.parse(await text(process.stdin)) as ExchangeJob
const { connections } = job
const { origin, pathname: path } = new URL(job.url)
const shop = new Pool(origin, { connections, pipelining: 1 })
const service = job.channel && new Pool(job.channel.url, { connections, pipelining: 1 })

const answered = async (of: Promise<Dispatcher.ResponseData>, status: number) => {
  const { body, headers, statusCode } = await of
  const said = await body.text()
  if (statusCode !== status) throw new Error(`It was answered ${statusCode}: ${said}`)
  return { headers, body: JSON.parse(said) as Fields }
}

/** Sends the channel's callbacks for a payment, as its gateway would. */
const tell = async ({ name, secret }: Channel, to: Pool, out_trade_no: string) => {
  const body = encodeCallback({
    channel: name,
    out_trade_no,
    trade_no: `trade-${out_trade_no}`,
    total_amount: "0.01",
    trade_status: "AUTHORIZED",
    payer_id: "payer",
    wallet_id: "wallet",
  })
  const signature = createHmac("sha256", secret).update(body).digest("hex")
  const headers = { "content-type": "application/json", "x-channel-signature": signature }
  const sent = to.request({ path: `/v1/webhooks/channel/${name}`, method: "POST", headers, body })
  await answered(sent, 200)
}

/** Returns the fields that an x402 wallet signs; the signature is not checked. */
const authorized = ({ amount, payTo }: Fields): object => {
  const now = Math.floor(Date.now() / 1_000)
  return {
    signature: `0x${randomBytes(65).toString("hex")}`,
    authorization: {
      from: "0x857b06519E91e3A54538791bDbb0E22373e36b66",
      to: payTo,
      value: amount,
      validAfter: String(now - 60),
      validBefore: String(now + 60),
      nonce: `0x${randomBytes(32).toString("hex")}`,
    },
  }
}

/** Pays for a 402 and returns the proof. */
const pay = async (accepted: Fields, demanded: Fields): Promise<object> => {
  if (job.channel === null || service === null) return authorized(accepted)
  const { id, token } = demanded["payment_intent"] as Fields
  await tell(job.channel, service, String(id))
  return { payment_intent: id, token }
}

const exchange = async () => {
  const asked = await answered(shop.request({ path, method: "GET" }), 402)
  const required = Buffer.from(String(asked.headers["payment-required"]), "base64").toString()
  const { accepts, resource } = JSON.parse(required) as {
    readonly accepts: ReadonlyArray<Fields>
    readonly resource: object
  }
  const [accepted = {}] = accepts
  const payload = await pay(accepted, asked.body)
  const proof = JSON.stringify({ x402Version: 2, resource, accepted, payload })
  const headers = { "payment-signature": Buffer.from(proof).toString("base64") }
  const served = await answered(shop.request({ path, method: "GET", headers }), 200)
  if (served.body["report"] !== "7") throw new Error("It is no report.")
  const told = Buffer.from(String(served.headers["payment-response"]), "base64").toString()
  if (!told.includes(`"success":true`)) throw new Error("No settlement was told.")
}

const latencies = new Latencies()
const flaws: Array<string> = []
let exchanges = 0
const started = performance.now()
const lane = async () => {
  while (performance.now() - started < job.milliseconds && flaws.length === 0) {
    const from = performance.now()
    await exchange()
    latencies.add(performance.now() - from)
    exchanges += 1
  }
}
const fail = (error: unknown) => {
  flaws.push(error instanceof Error ? error.message : String(error))
}
await Promise.all(Array.from({ length: connections }, () => lane().catch(fail)))
const milliseconds = performance.now() - started
await Promise.all([shop.close(), service?.close()])
const { system, user } = process.cpuUsage()
const outcome: ExchangeOutcome = {
  exchanges,
  milliseconds,
  p99: latencies.within(0.99),
  cpu: (system + user) / 1e6,
  flaw: flaws[0],
}
process.stdout.write(JSON.stringify(outcome))
