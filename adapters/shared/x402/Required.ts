import { Result, Schema } from "effect"
import { METHODS } from "../../../core/listings/Listing.ts"
import type { Offer, ProbeAnswer } from "../../../core/listings/Probe.ts"
import { isPayable } from "../../../core/shared/Money.ts"
import { safeLine } from "../../../core/agents/SafeText.ts"
import { VERSION } from "./Wire.ts"

/** The extension by which sellers declare the input and output of a resource (`bazaar`). */
export const BAZAAR = "bazaar"

/** The most characters that are kept of a resource's description, media type and declaration. */
const DESCRIPTION = 1_000
const MIME_TYPE = 128
const DECLARED = 8_192

/** The most ways to pay that are read. */
const MOST_OFFERS = 32

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** The read part of the extension. MCP tools have no method, and are not listed. */
const Declaration = Schema.Struct({
  info: Schema.Struct({
    input: Schema.Struct({
      type: Schema.Literal("http"),
      method: Schema.Literals(METHODS),
    }),
  }),
  routeTemplate: Schema.optionalKey(Schema.String),
})
const decodeDeclaration = Schema.decodeUnknownResult(Declaration)

const inObject = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** Returns what extensions declare about a resource; undefined if it is not to be listed. */
export const declarationIn = (extensions: unknown) => {
  const read = decodeDeclaration(inObject(extensions, BAZAAR))
  if (Result.isFailure(read)) return undefined
  const { info, routeTemplate } = read.success
  return { method: info.input.method, template: routeTemplate ?? null }
}

const Required = Schema.Struct({
  x402Version: Schema.Literal(VERSION),
  resource: Schema.optionalKey(
    Schema.Struct({
      description: Schema.optionalKey(Schema.Unknown),
      mimeType: Schema.optionalKey(Schema.Unknown),
    }),
  ),
  accepts: Schema.Array(JsonObject),
  extensions: Schema.optionalKey(Schema.Unknown),
})
const decodeRequired = Schema.decodeUnknownResult(Required)

const OneOffer = Schema.Struct({
  scheme: Schema.String.check(Schema.isPattern(/^[\w-]{1,64}$/)),
  network: Schema.String.check(Schema.isMaxLength(64)),
  amount: Schema.String.check(Schema.isPattern(/^[1-9]\d{0,12}$/)),
  asset: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/)),
  payTo: Schema.String.check(Schema.isMaxLength(128)),
  maxTimeoutSeconds: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000 })),
})
const decodeOffer = Schema.decodeUnknownResult(OneOffer)

const offerIn = (given: unknown): ReadonlyArray<Offer> => {
  const read = decodeOffer(given)
  if (Result.isFailure(read) || !isPayable(Number(read.success.amount))) return []
  const { amount, asset, maxTimeoutSeconds, network, payTo, scheme } = read.success
  return [
    {
      scheme,
      network,
      pay_to: payTo,
      amount: { currency: asset, value: Number(amount) },
      max_timeout_seconds: maxTimeoutSeconds,
    },
  ]
}

const lineOf = (value: unknown, max: number): string | null =>
  typeof value === "string" && value.trim() !== ""
    ? safeLine(value.toWellFormed(), max) || null
    : null

/** Control and invisible characters: with them people and programs would read different texts. */
const HIDDEN = /(?!\u200d|\ufe0f)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}]/u

/** The deepest nesting of objects. Readers with small stacks could not read deeper ones. */
const MAX_DEPTH = 16

const isPlain = (value: unknown, depth = 0): boolean =>
  typeof value === "string"
    ? !HIDDEN.test(value.replace(/[\n\r\t]/g, " "))
    : typeof value !== "object" ||
      value === null ||
      (depth < MAX_DEPTH &&
        Object.entries(value).every(([name, inner]) => isPlain(name) && isPlain(inner, depth + 1)))

/** Returns the declaration for display; null if it is too long, or has hidden characters. */
const shownDeclaration = (extensions: unknown) => {
  const given = inObject(extensions, BAZAAR)
  if (Result.isFailure(decodeDeclaration(given)) || typeof given !== "object") return null
  const declared = Object.fromEntries(
    ["info", "schema", "routeTemplate"].flatMap((name) => {
      const part = inObject(given, name)
      return part === undefined ? [] : [[name, part] as const]
    }),
  )
  return isPlain(declared) && JSON.stringify(declared).length <= DECLARED ? declared : null
}

/** Parses the JSON of a `PAYMENT-REQUIRED` header; undefined if it is malformed. */
const parsed = (header: string): unknown => {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(header)) return undefined
  try {
    return JSON.parse(Buffer.from(header, "base64").toString("utf8"))
  } catch {
    return undefined
  }
}

/** Reads what a 402 with that header says about its resource (x402 version 2, 5.1). */
export const readRequired = (header: string): ProbeAnswer => {
  const read = decodeRequired(parsed(header))
  if (Result.isFailure(read)) return { type: "silent", reason: "no_requirements" }
  const { accepts, extensions, resource } = read.success
  return {
    type: "payment_required",
    offers: accepts.slice(0, MOST_OFFERS).flatMap(offerIn),
    template: declarationIn(extensions)?.template ?? null,
    said: {
      description: lineOf(resource?.description, DESCRIPTION),
      mime_type: lineOf(resource?.mimeType, MIME_TYPE),
      declared: shownDeclaration(extensions),
    },
  }
}
