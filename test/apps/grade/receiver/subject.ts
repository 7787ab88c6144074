import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import nacl from "tweetnacl"
import { serve } from "../serve.ts"

/** The secrets and keys of the subjects. */
export const SECRET = "whsec_the-receiver-has-this-one"
export const OLD_SECRET = "whsec_and-this-one-for-a-day"
export const RETIRED_SECRET = "whsec_and-this-one-no-more"
export const KEYS = [nacl.box.keyPair(), nacl.box.keyPair()] as const

type Fields = { readonly [field: string]: unknown }

/** A receiver stops here. */
class Stop extends Error {
  readonly status: number
  constructor(status: number) {
    super(`stops with ${status}`)
    this.status = status
  }
}

const hmac = (secret: string, message: string | Buffer) =>
  createHmac("sha256", secret).update(message).digest()

const fingerprint = (key: Uint8Array) =>
  `fp_${createHash("sha256").update(key).digest("hex").slice(0, 16)}`

interface Header {
  /** The signed timestamp, and the one that is checked against the clock. */
  readonly t: string
  readonly age: string
  readonly v1: ReadonlyArray<string>
}

/** A receiver, a rule a part: every part can be replaced by one with a bug. */
export const RIGHT = {
  secrets: [SECRET, OLD_SECRET] as ReadonlyArray<string>,
  /** Milliseconds before it answers for the nth time. */
  delay: (_: number): number => 0,
  most: 1_048_576,
  /** Whether it puts a delivery off, with 429. */
  putsOff: (_: IncomingMessage): boolean => false,
  retryAfter: "1",
  join: (chunks: ReadonlyArray<Buffer>): Buffer => Buffer.concat(chunks),
  noSignature: (): Header | undefined => {
    throw new Stop(401)
  },
  parse: (text: string): Header => {
    const pairs = text.split(",").map((pair) => pair.split("=") as [string, string?])
    const values = (name: string) =>
      pairs.flatMap(([key, value]) => (key === name ? [value ?? ""] : []))
    const [t = "", second] = values("t")
    if (!/^\d{1,11}$/.test(t) || second !== undefined) throw new Stop(401)
    return { t, age: t, v1: values("v1") }
  },
  /** The possible signed texts. */
  messages: (t: string, body: Buffer): ReadonlyArray<Buffer> => [
    Buffer.concat([Buffer.from(`${t}.`), body]),
  ],
  equal: (given: string, digest: Buffer): boolean =>
    /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given, "hex"), digest),
  matches: ({ v1 }: Header, equal: (given: string) => boolean): boolean => v1.some(equal),
  inTime: (t: number, now: number): boolean => Math.abs(now - t) <= 300,
  skips: (_: Buffer): boolean => false,
  typeOf: (fields: Fields): unknown => fields["type"] ?? fields["event"],
  handles: (type: unknown): type is string => typeof type === "string",
  fresh: (_: Fields): boolean => true,
  ignores: (_: Fields): boolean => false,
  keys: KEYS as ReadonlyArray<nacl.BoxKeyPair>,
  noKey: 500,
  broken: 500,
  isOpen: (fields: Fields): boolean => fields["encrypted"] !== true,
  /** Whether it takes a delivery for a duplicate before it has verified it. */
  known: (_: Buffer): boolean => false,
  /** How many milliseconds after its answer it works on an event. */
  worksAfter: 0,
  idOf: (fields: Fields, _request: IncomingMessage): string => String(fields["id"]),
  duplicate: 200,
  /** The events that it took before. */
  before: [] as ReadonlyArray<string>,
  /** Whether the id was claimed, as a promise. */
  claim: async (id: string, seen: Set<string>): Promise<boolean> =>
    !seen.has(id) && Boolean(seen.add(id)),
}

/** The parts of a receiver. */
export type Parts = typeof RIGHT

const verify = (parts: Parts, header: Header, body: Buffer): boolean => {
  const { equal, inTime, matches, messages, secrets } = parts
  const texts = messages(header.t, body)
  const digests = secrets.flatMap((secret) => texts.map((text) => hmac(secret, text)))
  const isMatch = matches(header, (given) => digests.some((digest) => equal(given, digest)))
  return isMatch && inTime(Number(header.age), Date.now() / 1_000)
}

const opened = (parts: Parts, fields: Fields): Fields => {
  const key = parts.keys.find(
    ({ publicKey }) => fingerprint(publicKey) === fields["key_fingerprint"],
  )
  if (key === undefined) throw new Stop(parts.noKey)
  const box = Buffer.from(String(fields["ciphertext"]), "base64")
  const [ephemeral, nonce] = [box.subarray(0, 32), box.subarray(32, 56)]
  const text = nacl.box.open(box.subarray(56), nonce, ephemeral, key.secretKey)
  if (text === null) throw new Stop(parts.broken)
  return JSON.parse(Buffer.from(text).toString()) as Fields
}

const eventOf = (parts: Parts, request: IncomingMessage, body: Buffer): Fields => {
  const text = request.headers["webhook-signature"]
  const header = typeof text === "string" ? parts.parse(text) : parts.noSignature()
  if (header !== undefined && !parts.skips(body) && !verify(parts, header, body))
    throw new Stop(401)
  const fields = JSON.parse(body.toString()) as Fields
  return parts.isOpen(fields) ? fields : opened(parts, fields)
}

const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** Serves a receiver, its events at /hook and their ids at /taken, until the test ends. */
export const serveReceiver = async (altered: Partial<Parts>): Promise<string> => {
  const parts = { ...RIGHT, ...altered }
  const [seen, effects] = [new Set<string>(), [...parts.before]]
  let answers = 0
  const take = async (request: IncomingMessage): Promise<number> => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = parts.join(chunks)
    if (parts.putsOff(request)) throw new Stop(429)
    if (body.length > parts.most) throw new Stop(413)
    if (parts.known(body)) return parts.duplicate
    const event = eventOf(parts, request, body)
    const type = parts.typeOf(event)
    if (!parts.handles(type) || !parts.fresh(event)) throw new Stop(422)
    if (parts.ignores(event)) return 200
    const id = parts.idOf(event, request)
    if (!(await parts.claim(id, seen))) return parts.duplicate
    const work = () => void effects.push(String(event["id"]))
    if (parts.worksAfter === 0) work()
    else setTimeout(work, parts.worksAfter)
    return 200
  }
  return serve(
    createServer((request, response) => {
      if (request.url === "/taken") {
        response.end(JSON.stringify(effects))
        return
      }
      void take(request)
        .catch((error: unknown) => (error instanceof Stop ? error.status : 500))
        .then(async (status) => {
          answers += 1
          const delay = parts.delay(answers)
          if (delay > 0) await pause(delay)
          const put = status === 429 ? { "Retry-After": parts.retryAfter } : {}
          response.writeHead(status, put).end()
        })
    }),
  )
}
