import type { Redacted } from "effect"

/** The protocols of language models' providers. */
export const MODEL_PROTOCOLS = ["openai", "anthropic"] as const
/** One of {@link MODEL_PROTOCOLS}: `openai` is also what most others and local servers speak. */
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number]

/** A language model and its provider. */
export interface ModelSettings {
  readonly protocol: ModelProtocol
  readonly model: string
  /** The provider's URL without a trailing slash. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
}
