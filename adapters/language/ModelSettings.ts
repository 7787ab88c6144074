import type { Redacted } from "effect"

/** The protocols of language models' providers. */
export const MODEL_PROTOCOLS = ["openai", "anthropic"] as const
/** One of {@link MODEL_PROTOCOLS}. Most other providers and local servers support `openai`. */
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number]

/** A language model and its provider. */
export interface ModelSettings {
  readonly protocol: ModelProtocol
  readonly model: string
  /** The provider's URL without a final slash. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** Time limit in milliseconds. */
  readonly timeout?: number
}
