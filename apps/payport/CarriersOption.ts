import { Redacted, Result } from "effect"
import { contactRules } from "../../adapters/identity/contactRules.ts"
import type { Carriers } from "../../adapters/identity/layer.ts"
import { isPrivateUrl } from "../../adapters/shared/addresses/localHost.ts"
import { type Read, wrong } from "./decodeOption.ts"

/** How one-time codes are sent: by e-mail or text message. A sandbox without them has an inbox. */
export interface CarriersOption {
  /** A mail server, as `smtps://user:password@mail.example`, and the sender's address. */
  readonly smtp?: { readonly url: string; readonly from: string }
  /** A provider that accepts `POST {id, to, text}`, and the secret that signs these requests. */
  readonly sms?: { readonly url: string; readonly secret: string }
}

type Rule = readonly [isRight: (text: string) => boolean, wanted: string]

/** The form that each field of a carrier must have. */
const RULES: {
  readonly [C in keyof CarriersOption]-?: {
    readonly [F in keyof NonNullable<CarriersOption[C]>]: Rule
  }
} = {
  smtp: {
    url: [
      (text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ""),
      "a URL such as smtps://user:password@mail.example",
    ],
    from: [contactRules.isEmail, "the sender's e-mail address"],
  },
  sms: {
    url: [isPrivateUrl, "an https URL, or http on this machine"],
    secret: [(text) => /^[\x21-\x7e]{16,256}$/.test(text), "16 to 256 visible ASCII characters"],
  },
}

const isObject = (given: unknown): given is object =>
  typeof given === "object" && given !== null && !Array.isArray(given)

/** Reads the fields of one carrier, without showing any value; undefined if it is left out. */
const readCarrier = (
  option: string,
  rules: { readonly [field: string]: Rule },
  given: unknown,
): Read<ReadonlyArray<string> | undefined> => {
  if (given === undefined) return Result.succeed(undefined)
  const names = Object.keys(rules)
  if (!isObject(given)) return wrong(option, `has to be an object with ${names.join(", ")}`)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) {
    return wrong(`${option}.${unknown}`, `is not known. There are: ${names.join(", ")}`)
  }
  return Result.all(
    Object.entries(rules).map(([name, [isRight, wanted]]): Read<string> => {
      const value: unknown = Reflect.get(given, name)
      return typeof value === "string" && isRight(value)
        ? Result.succeed(value)
        : wrong(`${option}.${name}`, `has to be ${wanted}`)
    }),
  )
}

/** Reads the carriers from the options of `makePayport`. */
export const readCarriers = (given: unknown = {}): Read<Carriers> =>
  Result.gen(function* () {
    if (!isObject(given)) return yield* wrong("carriers", "has to be an object with smtp, sms")
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(RULES, name))
    if (unknown !== undefined) {
      return yield* wrong(`carriers.${unknown}`, "is not known. There are: smtp, sms")
    }
    const of = (carrier: keyof CarriersOption): unknown => Reflect.get(given, carrier)
    const smtp = yield* readCarrier("carriers.smtp", RULES.smtp, of("smtp"))
    const sms = yield* readCarrier("carriers.sms", RULES.sms, of("sms"))
    const secret = (text = "") => Redacted.make(text)
    return {
      smtp: smtp && { url: secret(smtp[0]), from: smtp[1] ?? "" },
      sms: sms && { url: secret(sms[0]), secret: secret(sms[1]) },
    }
  })
