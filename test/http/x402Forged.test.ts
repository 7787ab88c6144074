import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import { decodeFields, encodeFields } from "../../adapters/http/client/Fields.ts"
import { type X402Keys, type X402Receipt, x402Trust } from "../../adapters/http/client/entry.ts"
import { type X402Signer, x402Signer } from "../../adapters/http/paid/402.ts"
import { signed } from "../../adapters/http/paid/x402Signer.ts"

const URL_OF = "https://shop.example/reports/7"
const KID = "did:web:shop.example#key-1"
const MINUTE = 60

const ours = generateKeyPairSync("ed25519").privateKey
const theirs = generateKeyPairSync("ed25519").privateKey
const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey

const signer = x402Signer(ours, KID)
const publicKey = createPublicKey(ours).export({ format: "jwk" })

const keys: X402Keys = (kid, origin) =>
  kid === KID && origin === "https://shop.example" ? publicKey : undefined

const seconds = () => Math.floor(Date.now() / 1000)

const PAYMENT = "pi_01997d3e-8a00-7000-8000-000000000024"
const STOLEN = "pi_01997d3e-8a00-7000-8000-000000000025"

const terms = {
  scheme: "payport",
  network: "payport:sandbox",
  asset: "USD",
  payTo: "agent-of-the-seller",
  amount: "25",
}

const way = { ...terms, extra: { payment_intent: PAYMENT } }

const offer = (said: object = {}) => ({
  version: 1,
  resourceUrl: URL_OF,
  ...terms,
  validUntil: seconds() + 5 * MINUTE,
  payment_intent: PAYMENT,
  ...said,
})

const receipt = (said: object = {}) => ({
  version: 1,
  network: "payport:sandbox",
  resourceUrl: URL_OF,
  payer: "wallet_1",
  issuedAt: seconds(),
  transaction: "pi_1",
  ...said,
})

type Payload = Parameters<typeof signed>[0]
type Signed = object | undefined
type Making = () => Signed | Promise<Signed>

const by =
  (payload: () => object, other: X402Signer = signer): Making =>
  () =>
    signed(payload() as Payload, other)

/** The JWS after its parts were changed. */
const altered =
  (
    payload: () => object,
    change: (parts: ReadonlyArray<string>) => ReadonlyArray<string>,
  ): Making =>
  async () => {
    const { signature } = await signed(payload() as Payload, signer)
    return { format: "jws", signature: change(signature.split(".")).join(".") }
  }

const headed = (payload: () => object, said: object): Making =>
  altered(payload, ([head = "", body = "", seal = ""]) => [
    encodeFields({ ...decodeFields(head), ...said }),
    body,
    seal,
  ])

/** Texts similar to a signature, for offers and for receipts. */
const forgeries = (payload: () => object): ReadonlyArray<readonly [string, Making]> => [
  ["nothing", () => undefined],
  ["no signature", () => ({ format: "jws" })],
  ["a word", () => ({ format: "jws", signature: "trust me" })],
  ["only its payload", () => ({ format: "jws", payload: payload() })],
  ["another format", async () => ({ ...(await by(payload)()), format: "eip712" })],
  ["another key under the name", by(payload, x402Signer(theirs, KID))],
  ["another key under its own name", by(payload, x402Signer(theirs))],
  ["a key of another kind under the name", by(payload, x402Signer(curve, KID))],
  ["another name", headed(payload, { kid: "did:web:shop.example#key-2" })],
  ["no name", headed(payload, { kid: undefined })],
  ["no algorithm", headed(payload, { alg: "none" })],
  ["another algorithm", headed(payload, { alg: "ES256" })],
  ["an algorithm of objects", headed(payload, { alg: "toString" })],
  ["an extension that has to be understood", headed(payload, { crit: ["b64"], b64: false })],
  ["the seal left out", altered(payload, ([head = "", body = ""]) => [head, body, ""])],
  ["a part too many", altered(payload, (parts) => [...parts, "more"])],
  [
    "the payload changed after it was signed",
    altered(payload, ([head = "", body = "", seal = ""]) => [
      head,
      encodeFields({ ...decodeFields(body), version: 1, note: "changed" }),
      seal,
    ]),
  ],
  [
    "the public key as a shared secret",
    () => {
      const text = `${encodeFields({ alg: "HS256", kid: KID })}.${encodeFields(payload())}`
      const seal = createHmac("sha256", JSON.stringify(publicKey)).update(text).digest("base64url")
      return { format: "jws", signature: `${text}.${seal}` }
    },
  ],
]

const header = (value: object) => btoa(JSON.stringify(value))

/** Asks a server that answers 402 with these offers, and with this way to pay. */
const ask = (
  offers: ReadonlyArray<Signed>,
  accepts: ReadonlyArray<object> = [way],
  url = URL_OF,
  { body = "", headers = {} }: { readonly body?: string; readonly headers?: object } = {},
) => {
  const extensions = { "offer-receipt": { info: { offers } } }
  const required = header({ x402Version: 2, accepts, extensions })
  const told = { "PAYMENT-REQUIRED": required, ...headers }
  const answer = () => Promise.resolve(new Response(body, { status: 402, headers: told }))
  return x402Trust(answer, { keys })(url)
}

const UNSIGNED = { name: "PaymentRefused", reason: "unsigned" }

describe("an offer", () => {
  test("that is signed for the address and for now is one", async () => {
    expect((await ask([await by(offer)()])).status).toBe(402)
  })

  test.each<readonly [string, Making]>([
    ...forgeries(offer),
    ["that is over", by(() => offer({ validUntil: seconds() - 1 }))],
    ["that is over this second", by(() => offer({ validUntil: seconds() }))],
    ["without an end", by(() => offer({ validUntil: undefined }))],
    ["whose end is a text", by(() => offer({ validUntil: "tomorrow" }))],
    ["for another address", by(() => offer({ resourceUrl: "https://shop.example/reports/8" }))],
    ["for another server", by(() => offer({ resourceUrl: "https://shop.test/reports/7" }))],
    ["over less", by(() => offer({ amount: "24" }))],
    ["over more", by(() => offer({ amount: "250" }))],
    ["in another currency", by(() => offer({ asset: "EUR" }))],
    ["to another payee", by(() => offer({ payTo: "agent-of-a-thief" }))],
    ["by another scheme", by(() => offer({ scheme: "exact" }))],
    ["on another network", by(() => offer({ network: "payport:live" }))],
    ["of another version", by(() => offer({ version: 2 }))],
    ["for another payment", by(() => offer({ payment_intent: STOLEN }))],
    ["for no payment", by(() => offer({ payment_intent: undefined }))],
    ["that is a receipt", by(receipt)],
  ])("%s is none, and nothing is paid", async (_, make) => {
    await expect(ask([await make()])).rejects.toMatchObject(UNSIGNED)
  })

  test("has to be there for each way to pay", async () => {
    const dearer = { ...way, amount: "2500" }
    const one = await by(offer)()
    await expect(ask([one], [way, dearer])).rejects.toMatchObject(UNSIGNED)
    expect((await ask([one, await by(() => offer(dearer))()], [way, dearer])).status).toBe(402)
    await expect(ask([one], [])).rejects.toMatchObject(UNSIGNED)
    await expect(ask([one], [{ ...way, amount: 25 }])).rejects.toMatchObject(UNSIGNED)
  })

  test("has to be there for the last of many ways, and more than 20 are not paid", async () => {
    const one = await by(offer)()
    const ways = Array.from({ length: 20 }, () => way)
    expect((await ask([one], ways)).status).toBe(402)
    const forged = { ...way, scheme: "exact", payTo: "agent-of-a-thief" }
    await expect(ask([one], [...ways.slice(1), forged])).rejects.toMatchObject(UNSIGNED)
    await expect(ask([one], [...ways, forged])).rejects.toMatchObject(UNSIGNED)
    await expect(ask([one], [...ways, way])).rejects.toMatchObject(UNSIGNED)
  })

  const TOKEN = "m1Yk0sC8Uq3cQe7v9dXw2bRt5nHj4aLz6pGf0iKoSxE"
  const expires_at = new Date(Date.now() + 5 * MINUTE * 1_000).toISOString()
  const linkOf = (id: string) => `svc://pay/${id}?channel=wallet_a`
  const payment = { id: PAYMENT, amount: { currency: "USD", value: 25 }, channel: "wallet_a" }
  /** What a 402 says in payport's own words. */
  const inOurWords = (said: object = {}, headers: object = {}) => {
    const { id, ...asked } = { ...payment, ...said }
    const demanded = { id, ...asked, qr_uri: linkOf(id), expires_at, token: TOKEN }
    const body = JSON.stringify({ payment_intent: demanded })
    return { body, headers: { "X-Payment-Intent": id, ...headers } }
  }

  test("is of the payment that the 402 requires in its own headers and its body", async () => {
    const one = await by(offer)()
    const whole = { "X-Payment-Amount": "25 USD", "X-Payment-QR": linkOf(PAYMENT) }
    expect((await ask([one], [way], URL_OF, inOurWords({}, whole))).status).toBe(402)
  })

  test.each<readonly [string, { readonly body: string; readonly headers: object }]>([
    ["another payment", inOurWords({ id: STOLEN })],
    ["another price", inOurWords({ amount: { currency: "USD", value: 100 } })],
    ["another currency", inOurWords({ amount: { currency: "EUR", value: 25 } })],
    ["another payment in its header", inOurWords({}, { "X-Payment-Intent": STOLEN })],
    ["another price in its header", inOurWords({}, { "X-Payment-Amount": "100 USD" })],
    ["another link in its header", inOurWords({}, { "X-Payment-QR": linkOf(STOLEN) })],
    ["a payment that it does not describe", { ...inOurWords(), body: "{}" }],
  ])("is of no use to a 402 that requires %s", async (_, told) => {
    await expect(ask([await by(offer)()], [way], URL_OF, told)).rejects.toMatchObject(UNSIGNED)
  })

  test("of a key that is trusted elsewhere is none", async () => {
    const url = "https://other.example/reports/7"
    const one = await by(() => offer({ resourceUrl: url }))()
    await expect(ask([one], [way], url)).rejects.toMatchObject(UNSIGNED)
  })

  test("is asked for by headers that hold nothing, too", async () => {
    for (const headers of [{}, { "PAYMENT-REQUIRED": "%" }, { "PAYMENT-REQUIRED": btoa("[]") }]) {
      const answer = () => Promise.resolve(new Response("", { status: 402, headers }))
      await expect(x402Trust(answer, { keys })(URL_OF)).rejects.toMatchObject(UNSIGNED)
    }
  })
})

describe("a receipt", () => {
  const keptOf = async (made: Signed) => {
    const kept: Array<X402Receipt> = []
    const extensions = { "offer-receipt": { info: { receipt: made } } }
    const told = { success: true, transaction: "pi_1", network: "payport:sandbox", extensions }
    const answer = () =>
      Promise.resolve(new Response("paid", { headers: { "PAYMENT-RESPONSE": header(told) } }))
    const keep = (one: X402Receipt) => void kept.push(one)
    const response = await x402Trust(answer, { keys, keep })(URL_OF)
    // The paid content is served, however bad the receipt is.
    expect(await response.text()).toBe("paid")
    return kept
  }

  test("that is signed for the payment is kept", async () => {
    const said = receipt()
    expect(await keptOf(await by(() => said)())).toEqual([said])
    const { transaction: _private, ...discreet } = said
    expect(await keptOf(await by(() => discreet)())).toEqual([discreet])
  })

  test.each<readonly [string, Making]>([
    ...forgeries(receipt),
    ["for another address", by(() => receipt({ resourceUrl: "https://shop.example/reports/8" }))],
    ["for another payment", by(() => receipt({ transaction: "pi_2" }))],
    ["on another network", by(() => receipt({ network: "payport:live" }))],
    ["of last week", by(() => receipt({ issuedAt: seconds() - 7 * 24 * 60 * MINUTE }))],
    ["without a time", by(() => receipt({ issuedAt: undefined }))],
    ["of nobody", by(() => receipt({ payer: undefined }))],
    ["of another version", by(() => receipt({ version: 2 }))],
    ["that is an offer", by(offer)],
  ])("%s is none", async (_, make) => {
    expect(await keptOf(await make())).toEqual([])
  })
})
