import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { currencies } from "../../adapters/fx/Currencies.ts"
import type { TradeStatus } from "../../core/gateway/ChannelCallback.ts"
import { toMajor } from "../../core/shared/Money.ts"
import { seal } from "../../simulator/channels/Codec.ts"
import type { BookedCharge } from "../../simulator/channels/Network.ts"
import type { Entry } from "../../simulator/channels/Entry.ts"
import { moneyOf } from "../../simulator/channels/Ledger.ts"
import { ChannelBooks, type GatewayAnswer, type WalletAction } from "./ChannelBooks.ts"
import { type Agreement, answerHeaders, readBody, signatureOf } from "./Protocol.ts"

/** How a channel of the gateway misbehaves. */
export interface GatewayFaults {
  /** Requests are carried out and not answered. */
  timeout: boolean
  /** Every request is answered with 503, and nothing is carried out. */
  down: boolean
  /** Every request is answered with 429 and this `Retry-After`, in seconds; 0 is none. */
  rate_limited: number
  /** Callbacks are never sent. */
  silent: boolean
}

/** A gateway that runs. */
export interface Gateway {
  readonly url: string
  /** The faults of a channel, which the caller may change. */
  readonly faults: (channel: string) => GatewayFaults
  /** The requests to a channel, as method and path without the query. */
  readonly requests: (channel: string) => ReadonlyArray<string>
  /** The entries in the channels' books. */
  readonly entries: ReadonlyArray<Entry>
  /** Lets a payer act. */
  readonly act: (channel: string, outTradeNo: string, action: WalletAction) => boolean
  /** Lets a person approve a mandate, or end it. */
  readonly decide: (channel: string, mandateId: string, status: "active" | "revoked") => boolean
  readonly close: () => Promise<void>
}

interface GatewayOptions {
  readonly port?: number
  readonly channels: { readonly [channel: string]: Agreement }
  /** The URL of payport, for callbacks. */
  readonly service: () => string
}

const AGAIN_AFTER = [0, 500, 2_000, 10_000]

const parse = (text: string): { readonly [field: string]: unknown } => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

class Channel {
  readonly agreement: Agreement
  readonly books: ChannelBooks
  readonly requests: Array<string> = []
  readonly faults: GatewayFaults = { timeout: false, down: false, rate_limited: 0, silent: false }
  readonly #channel: string
  readonly #service: () => string

  constructor(
    channel: string,
    agreement: Agreement,
    service: () => string,
    entered: (entry: Entry) => void,
  ) {
    this.agreement = agreement
    this.#channel = channel
    this.#service = service
    this.books = new ChannelBooks(
      channel,
      (charge, status) => void this.#report(charge, status),
      entered,
    )
  }

  async #report(charge: BookedCharge, trade_status: TradeStatus): Promise<void> {
    const { out_trade_no, payer, trade_no } = charge
    const ofTaken = trade_status === "SUCCESS" || trade_status === "SETTLEMENT_FAILED"
    const amount = ofTaken ? moneyOf(charge) : charge.amount
    const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 2 }
    const total_amount = toMajor(amount, currency)
    const data = { out_trade_no, trade_no, total_amount, trade_status, ...payer }
    await this.#send(data)
  }

  /** Lets a person approve or end a mandate, and calls back. */
  decide(mandate_id: string, status: "active" | "revoked"): boolean {
    const decided = this.books.decide(mandate_id, status)
    const mandate_status = status === "active" ? "ACTIVE" : "REVOKED"
    if (decided) void this.#send({ mandate_id, mandate_status })
    return decided
  }

  /** Sends a callback, again until it is accepted. */
  async #send(data: Parameters<typeof seal>[2]): Promise<void> {
    if (this.faults.silent) return
    const { body, signature = "" } = seal(this.#channel, this.agreement.callback_secret, data)
    for (const after of AGAIN_AFTER) {
      await new Promise((resolve) => setTimeout(resolve, after).unref())
      const taken = await fetch(`${this.#service()}/v1/webhooks/channel/${this.#channel}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Channel-Signature": signature },
        body: Buffer.from(body),
      }).then(
        (answer) => answer.body?.cancel().then(() => answer.status < 500),
        () => false,
      )
      if (taken === true) return
    }
  }

  /** Carries out a verified request. */
  serve(method: string, url: URL, body: string): GatewayAnswer {
    const [, , what = "", id = "", then = ""] = url.pathname.split("/").map(decodeURIComponent)
    if (method === "POST" && what === "mandates" && then === "revoke") {
      this.books.decide(id, "revoked")
      return this.books.mandateOf(id)
    }
    if (method === "POST" && what === "mandates") return this.books.mandate(parse(body))
    if (method === "GET" && what === "mandates") return this.books.mandateOf(id)
    if (method === "POST" && what === "charges") return this.books.charge(parse(body))
    if (method === "POST" && what === "requests") return this.books.request(parse(body))
    if (method === "GET" && what === "requests") return this.books.outcome(id)
    if (method === "GET" && what === "charges") return this.books.trade(id)
    if (method === "GET" && what === "statements") {
      return this.books.statement(id, url.searchParams.get("cursor"))
    }
    return { status: 404, json: { error: "not_found" } }
  }
}

const ACTIONS: ReadonlyArray<string> = ["scan", "pay", "reject", "settle"]
const isAction = (action: string): action is WalletAction => ACTIONS.includes(action)

/** The channel that a request names. */
const channelOf = (url: URL, body: string): string => {
  const channel = url.searchParams.get("channel") ?? parse(body)["channel"]
  return typeof channel === "string" ? channel : ""
}

const answer = (response: ServerResponse, status: number, headers = {}, body = "{}"): void => {
  response.writeHead(status, headers).end(body)
}

const handle = async (
  channels: ReadonlyMap<string, Channel>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const body = await readBody(request)
  const { method = "GET", url: target = "/" } = request
  const url = URL.parse(target, "http://gateway")
  if (body === undefined || url === null) return answer(response, 400)
  const [, what = "", of = "", payment = "", action = ""] = url.pathname.split("/")
  if (what === "wallet" && method === "POST" && (action === "approve" || action === "revoke")) {
    const status = action === "approve" ? "active" : "revoked"
    const decided = channels.get(of)?.decide(payment, status) ?? false
    return answer(response, decided ? 204 : 409, {}, "")
  }
  if (what === "wallet" && method === "POST" && isAction(action)) {
    const acted = channels.get(of)?.books.act(payment, action) ?? false
    return answer(response, acted ? 204 : 409, {}, "")
  }
  const channel = channels.get(channelOf(url, body))
  if (channel === undefined) return answer(response, 401)
  const { agreement, faults } = channel
  channel.requests.push(`${method} ${url.pathname}`)
  if (faults.down) return answer(response, 503)
  if (faults.rate_limited > 0) return answer(response, 429, { "Retry-After": faults.rate_limited })
  const signature = signatureOf(request, body, agreement)
  if (signature === undefined) return answer(response, 401)
  const { json, status } = channel.serve(method, url, body)
  if (faults.timeout && method === "POST") return
  const text = JSON.stringify(json)
  answer(response, status, answerHeaders(status, text, signature, agreement), text)
}

/** Serves the simulator's channels over the protocol of `adapters/channels/http`. */
export const startGateway = async (options: GatewayOptions): Promise<Gateway> => {
  const entries: Array<Entry> = []
  const channels = new Map(
    Object.entries(options.channels).map(([id, agreement]) => [
      id,
      new Channel(id, agreement, options.service, (entry) => entries.push(entry)),
    ]),
  )
  const found = (id: string): Channel => {
    const channel = channels.get(id)
    if (channel === undefined) throw new Error(`The gateway has no channel ${id}.`)
    return channel
  }
  const server = createServer((request, response) => {
    handle(channels, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(options.port ?? 0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    faults: (id) => found(id).faults,
    requests: (id) => found(id).requests,
    entries,
    act: (id, outTradeNo, action) => found(id).books.act(outTradeNo, action),
    decide: (id, mandateId, status) => found(id).decide(mandateId, status),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
