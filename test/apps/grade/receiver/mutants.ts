import type { IncomingMessage } from "node:http"
import { OLD_SECRET, type Parts, RETIRED_SECRET, RIGHT, SECRET } from "./subject.ts"

/** A receiver with one bug, and the checks that have to name it. */
export interface Mutant {
  readonly name: string
  readonly parts: Partial<Parts>
  readonly named: ReadonlyArray<string>
}

const idHeader = ({ headers }: IncomingMessage, name: string, otherwise: unknown): string =>
  String(headers[name] ?? otherwise)

const wait = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

/** Whether an event is not older than all earlier ones. */
const newest = () => {
  let last = 0
  return ({ created }: { readonly [field: string]: unknown }): boolean => {
    const isNew = Number(created) >= last
    if (isNew) last = Number(created)
    return isNew
  }
}

/** Whether a delivery is the first that is not signed. */
const onceUnsigned = () => {
  let count = 0
  return ({ headers }: IncomingMessage): boolean =>
    headers["webhook-signature"] === undefined && (count += 1) === 1
}

/** Whether a body has the id of an earlier one. */
const claimed = () => {
  const ids = new Set<string>()
  return (body: Buffer): boolean => {
    const [id = ""] = /evt_[\w-]+/.exec(body.toString()) ?? []
    return id !== "" && (ids.has(id) || !ids.add(id))
  }
}

/** Bugs that receivers have. */
export const MUTANTS: ReadonlyArray<Mutant> = [
  {
    name: "verifies nothing",
    parts: { matches: () => true },
    named: ["forged", "altered", "refused-never"],
  },
  {
    name: "has an empty secret beside",
    parts: { secrets: [SECRET, OLD_SECRET, ""] },
    named: ["no-secret"],
  },
  {
    name: "has a secret of undefined",
    parts: { secrets: [SECRET, OLD_SECRET, "undefined"] },
    named: ["no-secret"],
  },
  {
    name: "takes what is not signed",
    parts: { noSignature: () => undefined },
    named: ["unsigned"],
  },
  {
    name: "takes what is not signed and comes again after a 429",
    parts: { noSignature: () => undefined, putsOff: onceUnsigned() },
    named: ["unsigned"],
  },
  {
    name: "fails where nothing is signed",
    parts: {
      noSignature: () => {
        throw new TypeError("no header")
      },
    },
    named: ["unsigned"],
  },
  {
    name: "verifies JSON that it has written again",
    parts: {
      messages: (t, body) => [Buffer.from(`${t}.${JSON.stringify(JSON.parse(body.toString()))}`)],
    },
    named: ["reformatted"],
  },
  {
    name: "compares the beginning",
    parts: { equal: (given, digest) => given !== "" && digest.toString("hex").startsWith(given) },
    named: ["cut-short"],
  },
  {
    name: "fails at another length",
    parts: {
      equal: (given, digest) => {
        const bytes = Buffer.from(given, "hex")
        if (bytes.length !== digest.length)
          throw new RangeError("Input buffers must have the same length")
        return RIGHT.equal(given, digest)
      },
    },
    named: ["cut-short"],
  },
  {
    name: "fails at a header that is none",
    parts: {
      parse: (text) => {
        if (!text.includes("v1=")) throw new TypeError("no v1")
        return RIGHT.parse(text)
      },
    },
    named: ["malformed"],
  },
  {
    name: "takes any scheme's signature for v1",
    parts: { parse: (text) => RIGHT.parse(text.replaceAll(/v\d=/g, "v1=")) },
    named: ["malformed"],
  },
  { name: "takes old signatures", parts: { inTime: (t, now) => t - now <= 300 }, named: ["past"] },
  {
    name: "takes signatures of later",
    parts: { inTime: (t, now) => now - t <= 300 },
    named: ["future"],
  },
  {
    name: "allows a minute",
    parts: { inTime: (t, now) => Math.abs(now - t) <= 60 },
    named: ["skew"],
  },
  {
    name: "allows nothing ahead",
    parts: { inTime: (t, now) => t - now < 2 && now - t <= 300 },
    named: ["skew"],
  },
  {
    name: "signs one time and judges another",
    parts: {
      parse: (text) => {
        const [age = "", ...others] = [...text.matchAll(/t=(\d+)/g)]
          .map(([, t = ""]) => t)
          .toReversed()
        return {
          ...RIGHT.parse(text.replace(/,t=\d+/, "")),
          age: others.length > 0 ? age : RIGHT.parse(text).t,
        }
      },
    },
    named: ["two-times"],
  },
  {
    name: "takes a signature of the body alone",
    parts: { messages: (t, body) => [...RIGHT.messages(t, body), body] },
    named: ["time-unsigned"],
  },
  {
    name: "compares the first signature",
    parts: { matches: ({ v1 }, equal) => equal(v1[0] ?? "") },
    named: ["rotation"],
  },
  {
    name: "compares the last signature",
    parts: { matches: ({ v1 }, equal) => equal(v1.at(-1) ?? "") },
    named: ["rotation"],
  },
  {
    name: "wants every signature to be its own",
    parts: { matches: ({ v1 }, equal) => v1.every(equal) && v1.length > 0 },
    named: ["rotation"],
  },
  { name: "forgot the old secret", parts: { secrets: [SECRET] }, named: ["old-secret"] },
  {
    name: "keeps the retired secret",
    parts: { secrets: [SECRET, OLD_SECRET, RETIRED_SECRET] },
    named: ["retired-secret"],
  },
  {
    name: "wants to know all elements",
    parts: {
      parse: (text) =>
        RIGHT.parse(text.split(",").every((pair) => /^(t|v1|enc)=/.test(pair)) ? text : ""),
    },
    named: ["further-elements"],
  },
  {
    name: "joins pieces as text",
    parts: { join: (chunks) => Buffer.from(chunks.map((chunk) => chunk.toString()).join("")) },
    named: ["large"],
  },
  {
    name: "reads Latin 1",
    parts: { join: (chunks) => Buffer.from(Buffer.concat(chunks).toString("latin1")) },
    named: ["unicode"],
  },
  { name: "has room for 64 kB", parts: { most: 65_536 }, named: ["large"] },
  {
    name: "knows few types",
    parts: {
      handles: (type): type is string => typeof type === "string" && !type.includes("later"),
    },
    named: ["unknown-type"],
  },
  { name: "knows one envelope", parts: { typeOf: ({ type }) => type }, named: ["envelopes"] },
  {
    name: "judges the event's time",
    parts: { fresh: ({ created }) => Date.now() / 1_000 - Number(created) < 3_600 },
    named: ["late"],
  },
  {
    name: "takes its time",
    parts: { delay: (answer) => (answer === 1 ? 1_500 : 0) },
    named: ["in-time"],
  },
  { name: "answers 409 to a duplicate", parts: { duplicate: 409 }, named: ["duplicate", "copies"] },
  { name: "answers 500 to a duplicate", parts: { duplicate: 500 }, named: ["duplicate", "replay"] },
  {
    name: "takes duplicates",
    parts: { claim: async () => true },
    named: ["duplicate-once", "replay-once"],
  },
  {
    name: "looks, waits, and then claims",
    parts: {
      claim: async (id, seen) => {
        if (seen.has(id)) return false
        await wait()
        return Boolean(seen.add(id))
      },
    },
    named: ["copies-once"],
  },
  {
    name: "claims an event before it verifies it",
    parts: { known: claimed() },
    named: ["forged-first-once"],
  },
  {
    name: "dedupes by Idempotency-Key",
    parts: { idOf: ({ id }, request) => idHeader(request, "idempotency-key", id) },
    named: ["duplicate-once"],
  },
  {
    name: "dedupes by Webhook-Id",
    parts: { idOf: ({ id }, request) => idHeader(request, "webhook-id", id) },
    named: ["renamed-once"],
  },
  {
    name: "refuses events older than the last",
    parts: { fresh: newest() },
    named: ["late", "out-of-order"],
  },
  {
    name: "drops events older than the last",
    parts: {
      ignores: (
        (isNew) => (fields) =>
          !isNew(fields)
      )(newest()),
    },
    named: ["out-of-order-once"],
  },
  { name: "has one key", parts: { keys: RIGHT.keys.slice(0, 1) }, named: ["old-key"] },
  { name: "drops a box without its key", parts: { noKey: 400 }, named: ["unknown-key"] },
  { name: "takes a box that does not open", parts: { broken: 200 }, named: ["broken-box"] },
  {
    name: "trusts whatever is encrypted",
    parts: { skips: (body) => body.includes('"encrypted":true') },
    named: ["forged-box"],
  },
  {
    name: "does not open boxes",
    parts: { isOpen: () => true, idOf: () => "box" },
    named: ["encrypted"],
  },
]

/** Bugs that no request from outside shows: they count against the grader. */
export const UNSEEN: ReadonlyArray<Omit<Mutant, "named">> = [
  {
    name: "compares in a time that tells how much is right",
    parts: { equal: (given, digest) => given === digest.toString("hex") },
  },
  {
    name: "forgets the first of a thousand events",
    parts: {
      claim: async (id, seen) => {
        const [oldest] = seen
        if (seen.size >= 1_000 && oldest !== undefined) seen.delete(oldest)
        return RIGHT.claim(id, seen)
      },
    },
  },
]
