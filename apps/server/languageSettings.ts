import { Effect } from "effect"
import { MODEL_PROTOCOLS, type ModelSettings } from "../../adapters/language/ModelSettings.ts"
import { isPrivateUrl } from "../../adapters/shared/addresses/localHost.ts"
import { read, secret, requiredBy, variable } from "./variables.ts"

/** The URL of each protocol's own provider. */
const ADDRESSES = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com/v1",
} as const

/** Parses `openai:gpt-5-mini`: a protocol and the name of a model. */
const parseModel = (text: string): Pick<ModelSettings, "protocol" | "model"> | undefined => {
  const [name, ...rest] = text.split(":")
  const protocol = MODEL_PROTOCOLS.find((known) => known === name)
  const model = rest.join(":")
  return protocol === undefined || !/^[\w./:@-]{1,128}$/.test(model)
    ? undefined
    : { protocol, model }
}

/**
 * Parses a URL whose requests nobody on the network can read, since they contain people's texts.
 */
const parseAddress = (text: string): string | undefined => {
  const url = URL.parse(text)
  const isPlain = url !== null && url.search === "" && url.hash === ""
  return isPlain && isPrivateUrl(text) ? url.href.replace(/\/+$/, "") : undefined
}

/** The settings of the language model. */
export const languageVariables = {
  language_model: variable(
    "PAYPORT_LANGUAGE_MODEL",
    "openai:<model> or anthropic:<model>, after the protocol that its provider speaks",
    "unset: rules understand people's own words",
    parseModel,
  ),
  language_url: variable(
    "PAYPORT_LANGUAGE_URL",
    "the https address that the protocol's paths follow, or http on this machine",
    "the protocol's public one",
    parseAddress,
  ),
  language_key: secret(
    "PAYPORT_LANGUAGE_KEY",
    "1 to 512 visible ASCII characters without blanks",
    "unset",
    (text) => /^[\x21-\x7e]{1,512}$/.test(text),
  ),
}

/** Reads the language model; undefined if none is set. */
export const readLanguageModel = Effect.gen(function* () {
  const { language_key, language_model, language_url } = languageVariables
  const model = yield* read(language_model)
  const url = yield* read(language_url)
  const key = yield* read(language_key)
  if (model === undefined) {
    if (url !== undefined) return yield* requiredBy(language_model, language_url)
    return key === undefined ? undefined : yield* requiredBy(language_model, language_key)
  }
  if (key === undefined) return yield* requiredBy(language_key, language_model)
  const settings: ModelSettings = { ...model, url: url ?? ADDRESSES[model.protocol], key }
  return settings
})
