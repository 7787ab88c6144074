import type { Redacted } from "effect"

/** The ways in which language models are asked. */
export const MODEL_PROTOCOLS = ["openai", "anthropic"] as const
/** One of {@link MODEL_PROTOCOLS}: `openai` is also what most others and local servers speak. */
export type ModelProtocol = (typeof MODEL_PROTOCOLS)[number]

/** A language model, and where it is asked. */
export interface ModelSettings {
  readonly protocol: ModelProtocol
  readonly model: string
  /** Without a trailing slash: the protocol's own public address unless it is said. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** How long it may take, in milliseconds. */
  readonly timeout?: number
}
